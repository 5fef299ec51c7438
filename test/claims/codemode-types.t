# What codemode-types(1) says, tried.

" prints the declaration of tools in TypeScript
== a declaration
$ codemode types -q --mcp-server "s=$SERVER" | grep -c 'declare const tools'
> 1

" 0 when a server came up, 2 wrong usage or a file that cannot be used, 4 stopped by a signal, 6 no server came up (also when none is left to start), 7 standard output could not be written
== exit codes
$ code() { codemode types -q "$@" >out 2>&1; echo $?; }
$ code --mcp-server "s=$SERVER"; code; code --mcp-server "s=$SERVER --die x"; codemode types -q --mcp-server "s=$SERVER" 2>/dev/null >/dev/full; echo $?
$ codemode types -q --mcp-server "s=$SERVER --log log --slow 600000" >out 2>&1 & until grep -qs initialize log; do sleep 0.02; done; kill -INT $!; wait $!; echo $?
> 0
> 2
> 6
> 7
> 4
