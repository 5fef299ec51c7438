# What codemode(1) says, tried. More shapes and faults: test/cli/config.t.

" A script has no other reach: no files, no network, no processes.
== nothing of a machine is there
$ codemode run -q -e 'return [typeof require, typeof process, typeof fetch, typeof XMLHttpRequest, typeof Deno]'
> ["undefined","undefined","undefined","undefined","undefined"]

" Comments, trailing commas and a byte order mark are accepted.
== all three
$ printf '\357\273\277{ // c\n"mcpServers": { "s": { "command": "%s", }, } /* d */ }' "$SERVER" >c.json; codemode run -q --mcp c.json -e 'return await tools.s.echo({})'
> {}

" The servers are looked for in the members mcpServers, servers, servers inside of mcp, mcp, context_servers and mcp_servers, in this order; a file may also be the map of servers itself.
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

" Names of the tools that a script may, or may not, call.
== filters
$ for m in '"includeTools": ["echo"]' '"enabled_tools": ["echo", "no"]' '"excludeTools": ["echo"]' '"disabledTools": ["echo"]' '"disabled_tools": ["echo"]'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",$m}}}" >c.json; codemode run -q --mcp c.json -e 'return ALL_TOOLS.map(t => t.name).includes("s.echo") + " " + ALL_TOOLS.length'; done
> "true 1"
> "true 1"
> "false 8"
> "false 8"
> "false 8"

" Names of the tools whose calls are not checked against their schemas, or true for all tools of the server.
== unchecked tools
$ for m in '"x": 1' '"uncheckedTools": ["echo"]' '"uncheckedTools": ["env"]' '"uncheckedTools": true' '"uncheckedTools": false'; do echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",$m}}}" >c.json; codemode run -q --mcp c.json -e 'return await tools.s.echo({ text: 1 }).catch(e => e.code)'; done
> "InvalidArguments"
> {"text":1}
> "InvalidArguments"
> {"text":1}
> "InvalidArguments"

" In command, args, env and cwd these are replaced, once: ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder}, ${workspaceFolderBasename}, ${userHome}, ${cwd}, ${pathSeparator}, and ~ alone or in ~/ at the beginning.
== each of them
$ cat >c.json <<END
$ {"mcpServers":{"s":{"command":"\${SERVER}","args":["--tag","\${NO:-d}"],"cwd":"\${workspaceFolder}","env":{"A":"\${V}|\${NO:-d}|\${env:V}|\${workspaceFolderBasename}|\${userHome}|\${pathSeparator}","B":"\${cwd}","C":"~/x","D":"~"}}}}
$ END
$ V='${NO}' HOME=/h codemode run -q --mcp c.json -e 'const get = async name => await tools.s.env({ name }); return [await get("C"), await get("D"), await get("A"), (await get("B")).replace(/.*\/here/, "here"), (await tools.s.cwd({})).replace(/.*\/here/, "here")]'
> ["/h/x","/h","${NO}|d|${NO}|here|/h|/","here","here"]

" A variable that is not set and has no default keeps its server from being started, and is named in a message.
" An entry that is wrong is reported with file, line and key; the other servers are started all the same.
" Servers over HTTP are not supported yet: they are reported and left out.
" codemode never starts itself as a server.
== four entries that do not start, and one that does
$ cat >c.json <<END
$ {"mcpServers":{
$  "a":{"command":"\${NOT_SET}"},
$  "b":{"command":1},
$  "c":{"url":"http://127.0.0.1:1/"},
$  "d":{"command":"codemode","args":["serve"]},
$  "e":{"command":"$SERVER"}}}
$ END
$ codemode run -q --mcp c.json -e 'return await tools.e.echo({})'
> {}
! codemode: c.json:2: a.command: the variable ${NOT_SET} is not set
! codemode: c.json:3: b.command: must be a string *
! codemode: c.json:4: c.url: servers over HTTP are not supported yet: left out
! codemode: c.json:5: d.command: is codemode itself, *

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
