# Under limits of the machine. A sanitizer needs more than they leave.
? (ulimit -v 2000000; codemode --version)

== few descriptors, few addresses: a message, not a crash
$ for n in $(seq 3 24); do (ulimit -n $n; codemode run -q -e 'return 1') 2>>err; echo $?; done | sort -u | grep -v '^[015]$'; grep -v 'too many open files\|Too many open files' err
$ (ulimit -v 100000; codemode run -q -e 'return 1')
! codemode: *
! codemode: the address space is limited to 100000 kB (ulimit -v): *
= 5
