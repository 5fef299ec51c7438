# What codemode-tools(1) says, tried.

" prints for each of them its tools: how a script calls them, and the first line of their descriptions
== a list
$ codemode tools -q --mcp-server "s=$SERVER" | sed -n 1,3p
> s: 9 tools
~   tools.s.bad()*
>       Is not UTF-8.

" With a question in words, such as open a bug report, it prints the ten tools at most that fit it, best first, as codemode.search gives them to a script.
" When none does, it prints nothing and says on standard error which words are nearest.
== a question
$ codemode tools -q --mcp-server "my-s=$SERVER" what hangs | sed -n 1,2p; codemode run -q --mcp-server "my-s=$SERVER" -e 'return codemode.search("what hangs")[0].path'
~   tools.my_s.hang()*
>       Never answers.
> "my_s.hang"
$ codemode tools -q --mcp-server "my-s=$SERVER" horoscope; codemode tools -q --mcp-server "my-s=$SERVER" horoscope hagn
! codemode: nothing matches in 9 tools
! codemode: nothing matches in 9 tools; nearest words are hang
$ codemode tools -q --json --mcp-server "my-s=$SERVER" hang | grep -o '"score":[0-9]*}' | wc -l
> 1

" With --json it prints an array of objects with name (the tool's own name), space (the server's), path (what a script writes behind "tools."), description, inputSchema, outputSchema (when there is one) and annotations; with a question also score, which is higher for a better answer.
== JSON
$ codemode tools -q --json --mcp-server "my-s=$SERVER" | sed -n '/"hang"/p'
>  {"name":"hang","space":"my-s","path":"my_s.hang","description":"Never answers.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true,"idempotentHint":false,"destructiveHint":false}},

" 0 when a server came up, 2 wrong usage or a file that cannot be used, 4 stopped by a signal, 6 no server came up (also when none is left to start), 7 standard output could not be written
== exit codes
$ echo '{"mcpServers":{"a":{"command":"cat","disabled":true}}}' >off.json; code() { codemode tools -q "$@" >out 2>&1; echo $?; }
$ code --mcp-server "s=$SERVER"; code; code --mcp no.json; code --mcp-server "s=$SERVER --die x"; code --mcp off.json; codemode tools -q --mcp-server "s=$SERVER" 2>/dev/null >/dev/full; echo $?
$ codemode tools -q --mcp-server "s=$SERVER --log log --slow 600000" >out 2>&1 & until grep -qs initialize log; do sleep 0.02; done; kill -TERM $!; wait $!; echo $?
> 0
> 2
> 2
> 6
> 6
> 7
> 4

" When there is no list it prints an object, as codemode-run(1) does when no script ran.
== no server
$ codemode tools --json 2>err; codemode tools -q --json --mcp-server "s=$SERVER --die x" 2>err | grep -o '"code":"NoServer"'
> {"ok":false,"error":{"kind":"command","code":"Usage","message":"no servers were found: give --mcp FILE"}}
> "code":"NoServer"
