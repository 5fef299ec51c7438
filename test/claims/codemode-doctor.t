# What codemode-doctor(1) says, tried. Which fences stand depends on the machine.

" Prints the kernel, the engine, the program that servers at a URL need, which fences stand and why others do not, and the outcome of each attempt.
== for people
$ codemode doctor >out; [ $? -le 1 ] && grep -c '^kernel \|^engine \|^worker \|^network /\|fences stand' out
> 5

" With --json it prints one object, also when it fails: then as codemode-run(1) does when no script ran.
" Otherwise it has ok, kernel, machine, engine, worker, network (the path of codemode-net, if it is there), fences (name, about, up, why) and attempts (name, what, outcome, how). An outcome is "refused", "allowed" or "unclear".
== for programs
$ codemode doctor --json >out; for m in ok kernel machine engine worker network fences name about up attempts what outcome how; do grep -q "\"$m\":" out || echo "no $m"; done; grep -o '"outcome":"[a-z]*"' out | grep -v refused | grep -v allowed | grep -v unclear
$ mkdir bin; cp "$(command -v codemode)" bin; bin/codemode doctor --json 2>err | cut -c 1-67; codemode doctor --json --bogus 2>err | cut -c 1-61
> {"ok":false,"error":{"kind":"command","code":"Sandbox","message":"/
> {"ok":false,"error":{"kind":"command","code":"Usage","message

" 2 wrong usage, 5 when the worker could not be started, 7 when standard output could not be written
== exit codes
$ codemode doctor x 2>err; echo $?; mkdir bin; cp "$(command -v codemode)" bin; bin/codemode doctor 2>err; echo $?; codemode doctor >/dev/full 2>err; echo $?
> 2
> 5
> 7
