# What codemode(1) says, tried. More shapes and faults: test/cli/config.t.

" A script has no other reach: no files, no network, no processes.
== nothing of a machine is there
$ codemode run -q -e 'return [typeof require, typeof process, typeof fetch, typeof XMLHttpRequest, typeof Deno]'
> ["undefined","undefined","undefined","undefined","undefined"]

" Comments, trailing commas and a byte order mark are accepted.
== all three
$ printf '\357\273\277{ // c\n"mcpServers": { "s": { "command": "%s", }, } /* d */ }' "$SERVER" >c.json; codemode run -q --mcp c.json -e 'return await tools.s.echo({})'
> {}

" The servers are looked for in the members mcpServers, servers, servers inside of mcp, mcp, context_servers, mcp_servers and extensions, in all that there are: the first one of a name counts. A file may also be the map of servers itself.
== each place, and the first of two
$ s="{ \"x\": { \"command\": \"$SERVER\" } }"
$ for f in "{\"mcpServers\":$s}" "{\"servers\":$s}" "{\"mcp\":{\"servers\":$s}}" "{\"mcp\":$s}" "{\"context_servers\":$s}" "{\"mcp_servers\":$s}" "$s" "{\"context_servers\":{},\"servers\":{},\"mcpServers\":$s}"; do echo "$f" >c.json; codemode run -q --mcp c.json -e 'return await tools.x.echo({})'; done | sort | uniq -c | tr -s ' '
>  8 {}

" command may also be an array with all of them, or, when there are no args, one line that is split into words.
== three ways
$ for c in "\"$SERVER\", \"args\": [\"--tag\", \"a b\"]" "[\"$SERVER\", \"--tag\", \"x\"]" "\"$SERVER --tag 'a b'\""; do echo "{\"mcpServers\":{\"s\":{\"command\":$c}}}" >c.json; codemode run -q --mcp c.json -e 'return await tools.s.echo({})' 2>err; done
> {}
> {}
> {}

" Variables for its environment; null unsets one.
" Of the environment of codemode itself a server gets only these: HOME, LOGNAME, PATH, SHELL, TERM, USER, LANG, LANGUAGE, LC_*, TZ, TMPDIR, XDG_*, the proxy variables, and NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and SSL_CERT_DIR.
== what a server sees
$ echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",\"env\":{\"A\":\"1\",\"TZ\":null}}}}" >c.json
$ SECRET=x LC_ALL=C XDG_CACHE_HOME=/c https_proxy=p TZ=UTC codemode run -q --mcp c.json -e 'const get = async name => (await tools.s.env({ name })); return [await get("A"), await get("SECRET"), await get("LC_ALL"), await get("XDG_CACHE_HOME"), await get("https_proxy"), await get("TZ")]'
> ["1","(unset)","C","/c","p","(unset)"]

" Where it runs. Without it: in the folder of the file, or in the folder above when that one is an editor's (.vscode, .cursor and the like).
== three folders
$ mkdir -p p/.vscode p/sub; echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\"}}}" | tee p/c.json >p/.vscode/c.json; echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",\"cwd\":\"sub\"}}}" >p/d.json
$ for f in p/c.json p/.vscode/c.json p/d.json; do codemode run -q --mcp $f -e 'return (await tools.s.cwd({})).replace(/.*\/here/, "here")'; done
> "here/p"
> "here/p"
> "here/p/sub"

" Whether it is left out.
== disabled, enabled
$ for m in '"disabled": true' '"enabled": false' '"enabled": true'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",$m}}}" >c.json; codemode run -q --mcp c.json -e 'return Object.keys(tools).length'; done
> 0
> 0
> 1

" How long a call, or coming up, may take. A plain timeout is in milliseconds, below 1000 in seconds; it may be an object with startup and request.
== a call that takes longer, and a start
$ for m in '"timeout": 1200' '"timeout": 1' '"tool_timeout_sec": 1' '"timeout": { "request": 1000 }'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",$m}}}" >c.json; codemode run -q --mcp c.json -e 'return await tools.s.hang({}).catch(e => e.message)' 2>err; done
$ for m in '"startup_timeout_ms": 300' '"startup_timeout_sec": 1' '"timeout": { "startup": 300 }'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",\"args\":[\"--slow\",\"600000\"],$m}}}" >c.json; codemode run -q --mcp c.json -e 'tools.s' 2>&1 | grep -o 'within [0-9]* ms'; done
> "The tool did not answer within 1200 ms"
> "The tool did not answer within 1000 ms"
> "The tool did not answer within 1000 ms"
> "The tool did not answer within 1000 ms"
> within 300 ms
> within 1000 ms
> within 300 ms

" Names of the tools that a script may, or may not, call; * in a name stands for any characters. A name that no tool has is reported.
== filters
$ for m in '"includeTools": ["echo"]' '"enabled_tools": ["echo", "no"]' '"excludeTools": ["ec*o"]' '"disabledTools": ["echo"]' '"disabled_tools": ["echo"]'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",$m}}}" >c.json; codemode run -q --mcp c.json -e 'return ALL_TOOLS.map(t => t.name).includes("s.echo") + " " + ALL_TOOLS.length'; done
> "true 1"
> "true 1"
> "false 8"
> "false 8"
> "false 8"
! codemode: c.json:1: s.enabled_tools: the server has no tool "no"

" How codemode serve offers the tools of the server: to scripts (script), to clients under names of their own (direct), or both.
== each way
$ for how in script direct both; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",\"expose\":\"$how\"}}}" >c.json; printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode serve -q --mcp c.json >out; grep -c '"name":"s_echo"' out; grep -c 'tools.s: 9 tools' out; done | xargs
> 0 1 1 0 1 1

" Names of the tools whose calls are not checked against their schemas, or true for all tools of the server.
== unchecked tools
$ for m in '"icon": 1' '"uncheckedTools": ["echo"]' '"uncheckedTools": ["env"]' '"uncheckedTools": true' '"uncheckedTools": false'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",$m}}}" >c.json; codemode run -q --mcp c.json -e 'return await tools.s.echo({ text: 1 }).catch(e => e.code)'; done
> "InvalidArguments"
> {"text":1}
> "InvalidArguments"
> {"text":1}
> "InvalidArguments"

" In command, args, env, cwd, url and headers these are replaced, once: ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder}, ${workspaceFolderBasename}, ${userHome}, ${cwd}, ${pathSeparator}, and ~ alone or in ~/ at the beginning; {env:VAR} and {file:PATH}; ${input:ID} by its default in the file's inputs, or by CODEMODE_INPUT_ID in the environment. $VAR is replaced in env and headers, where a whole word is that in capital letters.
== each of them
$ echo f >file; cat >c.json <<END
$ {"inputs":[{"id":"x","default":"i"},{"id":"y"}],"mcpServers":{"s":{"command":"\${SERVER}","args":["--tag","\${NO:-d}"],"cwd":"\${workspaceFolder}","env":{"A":"\${V}|\${NO:-d}|\${env:V}|\${workspaceFolderBasename}|\${userHome}|\${pathSeparator}","B":"\${cwd}","C":"~/x","D":"~","E":"{env:W}{file:file}\${input:x}\${input:y}","F":"a \$W \$w"}}}}
$ END
$ V='${NO}' W=w CODEMODE_INPUT_Y=y HOME=/h codemode run -q --mcp c.json -e 'const get = async name => await tools.s.env({ name }); return [await get("C"), await get("D"), await get("E"), await get("F"), await get("A"), (await get("B")).replace(/.*\/here/, "here"), (await tools.s.cwd({})).replace(/.*\/here/, "here")]'
> ["/h/x","/h","wfiy","a w $w","${NO}|d|${NO}|here|/h|/","here","here"]

" A variable that is not set and has no default keeps its server from being started, and is named in a message.
" An entry that is wrong is reported with file, line and key; the other servers are started all the same.
" A member that is not known is reported; one that may be a restriction keeps its server off.
" codemode never starts itself as a server.
== four entries that do not start, and one that does
$ cat >c.json <<END
$ {"mcpServers":{
$  "a":{"command":"\${NOT_SET}"},
$  "b":{"command":1},
$  "c":{"command":"cat","readOnly":true},
$  "d":{"command":"codemode","args":["serve"]},
$  "e":{"command":"$SERVER","colour":"red"}}}
$ END
$ codemode run -q --mcp c.json -e 'return await tools.e.echo({})'
> {}
! codemode: c.json:2: a.command: the variable ${NOT_SET} is not set
! codemode: c.json:3: b.command: must be a string *
! codemode: c.json:4: c.readOnly: may restrict the server, *
! codemode: c.json:5: d.command: is codemode itself, *
! codemode: c.json:6: e.colour: is not known to codemode *

" The first SIGINT, SIGTERM or SIGHUP stops the script, tells the servers that its calls are cancelled, and ends them in order.
== each signal
$ for s in INT TERM HUP; do codemode run -q --mcp-server "s=$SERVER --log log.$s" -e 'await tools.s.hang({})' 2>err & pid=$!; until grep -qs '"hang"' log.$s; do sleep 0.02; done; kill -$s $pid; wait $pid; echo $?; grep -c notifications/cancelled log.$s; done | tr '\n' ' '; echo
~ 4 1 4 1 4 1*

" The second kills them at once. In either case, and also when codemode itself is killed, no process of a server is left behind.
== two signals, and kill -9: no process of the server is left
$ left() { for p in /proc/[0-9]*; do grep -aqs "[t]ag-$1-$$ " "$p/cmdline" 2>/dev/null && echo "$p"; done; }
$ for s in TERM KILL; do codemode run -q --mcp-server "s=$SERVER --log log.$s --stubborn --child --tag tag-$s-$$ " -e 'await tools.s.hang({})' 2>err & pid=$!; until grep -qs '"hang"' log.$s; do sleep 0.02; done; kill -$s $pid; sleep 0.02; kill -$s $pid 2>/dev/null; wait $pid 2>/dev/null; until [ -z "$(left $s)" ]; do sleep 0.02; done; echo gone; done
> gone
> gone

" one that never came up is not waited for
== a server that would take ten minutes, and a second for a stubborn one
$ codemode run -q --mcp-server "a=$SERVER" --mcp-server "b=$SERVER --slow 600000" -e 'return await tools.a.echo({})'
> {}

" Set for every server. A codemode that finds it set starts no servers.
== CODEMODE_DEPTH
$ codemode run -q --mcp-server "s=$SERVER" -e 'return await tools.s.env({ name: "CODEMODE_DEPTH" })'; CODEMODE_DEPTH=1 codemode run -q --mcp-server "s=$SERVER" -e 'return 1'
> "1"
! codemode: no server is started: *
!...
= 6

" What --mcp is when it is not given: a file, a URL, a command, or none.
== CODEMODE_MCP
$ CODEMODE_MCP="$SERVER --tag x" codemode run -q -e 'return Object.keys(tools)'; CODEMODE_MCP=none codemode run -q -e 'return Object.keys(tools)'; CODEMODE_MCP=no.json codemode run -q -e 'return 1'
> ["cli_server"]
> []
! codemode: no.json: cannot be read: *
= 2

" TOML (Codex) and YAML (Goose), by the end of the file's name or by its first line.
" each is found also with "_" or "-" or capital letters between its words
== formats, and names of members
$ printf '[mcp_servers.t]\ncommand = "%s"\nExclude-Tools = ["echo"]\n' "$SERVER" | tee c.toml >c1; printf 'extensions:\n  y:\n    type: stdio\n    cmd: %s\n' "$SERVER" | tee c.yaml >c2
$ codemode run -q --mcp c.toml --mcp c.yaml -e 'return Object.keys(tools)'; codemode run -q --mcp c1 --mcp c2 -e 'return [Object.keys(tools), ALL_TOOLS.filter(t => t.name.endsWith(".echo")).length]'
> ["t","y"]
> [["t","y"],1]

" A file of lines NAME=VALUE; env counts more.
" Whether it is left out. "true" and "false" in quotes are understood.
== envFile, quoted booleans
$ printf 'A=1\nB=1\n' >.env; echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",\"envFile\":\".env\",\"env\":{\"B\":\"2\"},\"disabled\":\"false\"},\"t\":{\"command\":\"$SERVER\",\"disabled\":\"true\"}}}" >c.json
$ codemode run -q --mcp c.json -e 'return [Object.keys(tools), await tools.s.env({ name: "A" }), await tools.s.env({ name: "B" })]'
> [["s"],"1","2"]

" A server over HTTP; type is http, or sse for the old kind. command counts more than url, if there is no type.
" A variable with a token, a command that prints one, or an object with clientId, clientSecret and scope; false: never log in.
" After so many milliseconds without a call the server may be ended; the next call starts it again.
== servers at URLs, as codemode config shows them
$ echo '{"mcpServers":{"a":{"url":"http://h/","bearer_token_env_var":"T","idleTimeout":5000},"b":{"type":"sse","url":"http://h/","tokenCommand":"cat x"},"c":{"url":"http://h/","oauth":{"clientId":"i","scope":"s"}},"d":{"url":"http://h/","oauth":false},"e":{"command":"cat","url":"http://h/"}}}' >c.json
$ T=t codemode config --json --mcp c.json | grep -o '"reach":.*' | sed 's/{"name":"."/\n/g' | sed -n 's/.*"reach":"\([a-z]*\)".*\(http[^,]*,\)\?\("login":.*\|"clientId":.*\)}.*/\1 \3/p; s/.*"reach":"\(process\)".*/\1/p'
> http "login":"token","idleMs":5000
> sse "login":"tokenCommand"
> http "clientId":"i","scope":"s"
> http "login":"off"
> process
