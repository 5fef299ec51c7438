# --store: what scripts keep from run to run.

== a round trip
$ for i in 1 2 3; do codemode run -q --store s.json -e 'store("n", (load("n") ?? 0) + 1); return load("n")'; done
$ cat s.json
> 1
> 2
> 3
> {
>   "n": 3
> }

== other keys stay, byte for byte
$ printf '{"keep": 1.50e+00, "gone": 1}' >s.json
$ codemode run -q --store s.json -e 'store("gone", undefined); store("new", [1, 2])'
$ cat s.json
> {
>   "keep": 1.50e+00,
>   "new": [1,2]
> }

== a failed script writes nothing
$ echo '{"a":1}' >s.json; codemode run -q --store s.json -e 'store("a", 2); throw 1'; cat s.json; ls
> {"a":1}
> s.json
! codemode: *1
!...

== an empty file is an empty store
$ : >s.json; codemode run -q --store s.json -e 'return load("a") === undefined'
> true

== what is no store
$ echo '[1]' >a.json; echo '{' >b.json; for f in a b; do codemode run --store $f.json -e 'return 1'; done; codemode run --store . -e 'return 1'
! codemode: a.json: the store must be a JSON object
! codemode: b.json:2:1: the store is not JSON: *
! codemode: .: the store cannot be read: Is a directory
= 2

== a folder that is not there
$ codemode run -q --store no/s.json -e 'store("a", 1); return 1'
> 1
! codemode: no/s.json: the store cannot be written: No such file or directory
= 2

== a symbolic link stays one, rights stay
$ mkdir d; echo '{}' >d/s.json; chmod 600 d/s.json; ln -s d/s.json s.json
$ codemode run -q --store s.json -e 'store("a", 1)'; test -L s.json && echo link; stat -c %a d/s.json; grep -c a d/s.json; ls d
> link
> 600
> 1
> s.json

== many at once: no key is lost
$ for i in 1 2 3 4 5 6 7 8; do codemode run -q --store s.json -e "store('k$i', $i)" & done; wait
$ grep -c '"k' s.json
> 8
