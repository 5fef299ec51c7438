# What codemode-doctor(1) says, tried. Which fences stand depends on the machine.

" Prints the kernel, the engine, the program that servers at a URL need, which fences stand and why others do not, and the outcome of each attempt.
== for people
$ codemode doctor >out; [ $? -le 1 ] && grep -c '^kernel \|^engine \|^worker \|^network /\|fences stand' out
> 5

" With --json it prints one object. When it fails, that object is the one that codemode-run(1) prints when no script ran.
" Otherwise it has ok, kernel, machine, engine, worker, network (the path of codemode-net, if it is there), fences (name, about, up, why) and attempts (name, what, outcome, how). An outcome is "refused", "allowed" or "unclear".
== for programs
$ codemode doctor --json >out; for m in ok kernel machine engine worker network fences name about up attempts what outcome how; do grep -q "\"$m\":" out || echo "no $m"; done; grep -o '"outcome":"[a-z]*"' out | grep -v refused | grep -v allowed | grep -v unclear
$ mkdir bin; cp "$(command -v codemode)" bin; bin/codemode doctor --json 2>err | cut -c 1-67; codemode doctor --json --bogus 2>err | cut -c 1-61
> {"ok":false,"error":{"kind":"command","code":"Sandbox","message":"/
> {"ok":false,"error":{"kind":"command","code":"Usage","message

" Then it starts the servers that the other commands would start, and ends them again.
" Of each it prints the program and its version, the revision of the protocol, the number of its tools and the time until it was up, or why it did not come up and what to do.
" It names secrets that are too short to be replaced in what servers say (fewer than 8 bytes), and prints which files have servers and where codemode keeps its own files.
== servers
$ echo '{"mcpServers":{"up":{"command":"'"$SERVER"'","env":{"PIN_KEY":"123"}},"dies":{"command":"'"$SERVER"'","args":["--die","bad hunter2-hunter2"],"env":{"DB_PASSWORD":"hunter2-hunter2"}},"wrong":{"command":"nothing-here"},"slow":{"command":"'"$SERVER"'","args":["--slow","60000"]}}}' >c.json
$ codemode doctor --mcp c.json --startup-timeout 1500 >out 2>err; echo $?; sed -n '/^Servers/,$p' out | sed "s|$SERVER|SERVER|; s|in [0-9]* ms|in N ms|; s| /.*/codemode/| .../codemode/|; s|: mode 7..|: mode|; s|: not there yet|: mode|"
> 1
> Servers:
>   well     up             test 1, MCP 2025-06-18, 9 tools, up in N ms
>   WRONG    dies           it exited with code 3 (its last words on stderr: bad [secret DB_PASSWORD])
>            to do: run its command by itself: SERVER --die bad [secret DB_PASSWORD]
>   WRONG    slow           it did not come up within N ms
>            to do: give it more time: --startup-timeout MS, or startupTimeoutMs in its entry
>   WRONG    wrong          command: there is no program "nothing-here" in PATH
>            to do: correct it: c.json:1
> 
> Secrets that are too short:
>   well     up             PIN_KEY: shorter than 8 bytes, so not replaced in what servers say
> 
> Files:
>   well     c.json         servers: read
>   well     .../codemode/ configuration of codemode: mode
>   well     .../codemode/ trusted files and answers: mode
>   well     .../codemode/ lists of tools: mode

" Of each rule of the policy it prints for how many tools it decides. A rule that names no tool, or that decides for none because other rules do, is reported as wrong.
== rules
$ codemode doctor --mcp-server "up=$SERVER" --deny up.echo --allow up.echo --ask nothing.x >out; sed -n '/^Rules/,/^$/p' out
> Rules:
>   well     --deny up.echo it decides for 1 of the 1 tools that it names
>   WRONG    --allow up.echo it decides nothing: for each of its 1 tools another rule does, such as --deny up.echo
>            to do: take one of the two rules out
>   WRONG    --ask nothing.x it names no tool of the servers that are up
>            to do: correct the name, or take the rule out
> 

" The arrays servers, policy, secrets and files have ok, name, about and, where something is wrong, todo; a server that is up also has program, revision, tools and ms.
== a folder that others can write to
$ mkdir -p c/codemode; chmod 777 c/codemode; export XDG_CACHE_HOME="$PWD/c"
$ codemode doctor --json --mcp-server "up=$SERVER" >out; grep -o '"servers":\[{"ok":true,"name":"up","about":"[^"]*","program":"test 1","revision":"2025-06-18","tools":9,"ms":' out | wc -l; grep -o '"policy":\[\],"secrets":\[\],"files":\[' out; grep -o 'lists of tools[^}]*' out
> 1
> "policy":[],"secrets":[],"files":[
> lists of tools: mode 777","todo":"others can write there: chmod 700"

" 0 when all fences stand, all attempts were refused, and no server, rule or file is wrong, 1 otherwise, 2 wrong usage, 4 stopped by a signal, 5 when the worker could not be started, 7 when standard output could not be written
== exit codes
$ codemode doctor x 2>err; echo $?; mkdir bin; cp "$(command -v codemode)" bin; bin/codemode doctor 2>err; echo $?; codemode doctor >/dev/full 2>err; echo $?
> 2
> 5
> 7
