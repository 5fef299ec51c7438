# Configurations: every shape that other programs write, and every mistake with
# its file, line and key. $SERVER is the path of the test's own server.

== each root, and a bare map
$ for root in mcpServers servers context_servers mcp_servers mcp; do
$ 	echo "{ \"$root\": { \"$root\": { \"command\": \"$SERVER\" } } }" >c.json
$ 	codemode run -q --mcp c.json -e "return await tools.$root.echo({ a: 1 })"
$ done
$ echo "{ \"mcp\": { \"servers\": { \"m\": { \"command\": \"$SERVER\" } } } }" >c.json
$ codemode run -q --mcp c.json -e "return await tools.m.echo({ a: 2 })"
$ echo "{ \"b\": { \"command\": \"$SERVER\" } }" >c.json
$ codemode run -q --mcp c.json -e "return await tools.b.echo({ a: 3 })"
> {"a":1}
> {"a":1}
> {"a":1}
> {"a":1}
> {"a":1}
> {"a":2}
> {"a":3}

== comments, trailing commas, a byte order mark
$ printf '\357\273\277{ // one\n"mcpServers": { /* two\n */ "s": { "command": "%s", "args": ["a", ], }, }, }' "$SERVER" >c.json
$ codemode run -q --mcp c.json -e "return await tools.s.echo({ a: 1 })"
> {"a":1}

== what a config cannot be
$ echo '{ "mcpServers": {' >a.json; echo '{}x' >b.json; echo '[]' >c.json; echo '{ "other": 1 }' >d.json; printf '{\n\n "mcpServers": {\n "s": { "command": x } } }' >e.json; : >f.json
$ for f in a b c d e f; do codemode run --mcp $f.json -e 'return 1'; echo $?; done; codemode run --mcp no.json -e 'return 1'
> 2
> 2
> 2
> 2
> 2
> 2
! codemode: a.json:2:1: not JSON: *
! codemode: b.json:1:3: not JSON: *
! codemode: c.json:1: there is no "mcpServers" in it, *
! codemode: d.json:1: there is no "mcpServers" in it, *
! codemode: e.json:4:20: not JSON: *
! codemode: f.json:1:1: not JSON: *
! codemode: no.json: cannot be read: No such file or directory
= 2

== no server in it is no mistake
$ echo '{ "mcpServers": {} }' >c.json
$ codemode run -q --mcp c.json -e 'return 1'
> 1
! codemode: c.json: there is no server in it

== wrong entries are told, the right one starts
$ cat >c.json <<END
$ { "mcpServers": {
$   "a": 1,
$   "b": {},
$   "c": { "command": 1 },
$   "d": { "command": "$SERVER", "args": "x" },
$   "e": { "command": "$SERVER", "args": ["x", 2] },
$   "f": { "command": "$SERVER", "env": [] },
$   "g": { "command": "$SERVER", "env": { "A": {} } },
$   "h": { "command": "$SERVER", "env": { "A=B": "x" } },
$   "i": { "command": "$SERVER", "cwd": "/no/such" },
$   "j": { "command": "no-such-program" },
$   "k": { "command": "/no/such/program" },
$   "l": { "command": "" },
$   "m": { "command": "$SERVER 'x" },
$   "n": { "command": [] },
$   "o": { "command": "$SERVER", "timeout": "soon" },
$   "p": { "command": "$SERVER", "includeTools": "echo" },
$   "q": { "command": "$SERVER", "env": {
$     "A": "\${NOT_SET_HERE}" } },
$   "": { "command": "$SERVER" },
$   "right": { "command": "$SERVER" } } }
$ END
$ codemode run -q --mcp c.json -e 'return await tools.right.echo({ a: 1 })'
> {"a":1}
! codemode: c.json:2: a: must be an object
! codemode: c.json:3: b: has no "command"
! codemode: c.json:4: c.command: must be a string or an array of strings
! codemode: c.json:5: d.args: must be an array of strings
! codemode: c.json:6: e.args\[1\]: must be a string
! codemode: c.json:7: f.env: must be an object of strings
! codemode: c.json:8: g.env.A: must be a string, or null to unset
! codemode: c.json:9: h.env.A=B: is no name of a variable
! codemode: c.json:10: i.cwd: there is no folder /no/such
! codemode: c.json:11: j.command: there is no program "no-such-program" in PATH
! codemode: c.json:12: k.command: there is no program "/no/such/program"
! codemode: c.json:13: l.command: is empty
! codemode: c.json:14: m.command: a quote is opened and never closed
! codemode: c.json:15: n.command: is empty
! codemode: c.json:16: o.timeout: must be a number above 0
! codemode: c.json:17: p.includeTools: must be an array of tool names
! codemode: c.json:19: q.env.A: the variable ${NOT_SET_HERE} is not set
! codemode: c.json:20: : a server must have a name

== what an entry with a URL cannot be
$ cat >c.json <<END
$ { "mcpServers": {
$   "a": { "type": "http" },
$   "b": { "url": "ftp://localhost/" },
$   "c": { "url": "http://localhost/", "headers": [] },
$   "d": { "url": "http://localhost/", "headers": { "a b": "x" } },
$   "e": { "url": "http://localhost/", "headers": { "A": "x\r\nB: y" } },
$   "f": { "url": "http://localhost/", "env_http_headers": { "A": "NOT_SET_HERE" } },
$   "g": { "url": "http://localhost/", "bearer_token_env_var": "NOT_SET_HERE" },
$   "h": { "type": "carrier-pigeon", "url": "http://localhost/" },
$   "i": { "url": "http://localhost/", "headers": { "A": "Bearer \$NOT_SET_HERE" } },
$   "j": { "transport": { "type": "stdio" } },
$   "right": { "type": "stdio", "command": "$SERVER", "url": "ignored" } } }
$ END
$ codemode run -q --mcp c.json -e 'return await tools.right.echo({ a: 1 })'
> {"a":1}
! codemode: c.json:2: a: has no "url"
! codemode: c.json:3: b.url: must begin with http://, https:// or unix:
! codemode: c.json:4: c.headers: must be an object of strings
! codemode: c.json:5: d.headers: "a b" is no name of a header
! codemode: c.json:6: e.headers: A has a line break in it
! codemode: c.json:7: f.env_http_headers: the variable NOT_SET_HERE is not set
! codemode: c.json:8: g.bearer_token_env_var: the variable NOT_SET_HERE is not set
! codemode: c.json:9: h.type: must be "stdio", "http" or "sse"
! codemode: c.json:10: i.headers: the variable $NOT_SET_HERE is not set
! codemode: c.json:11: j: has no "command"

== a program that reads the result is told, too
$ echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\" }, \"w\": { \"command\": \"no-such\" } } }" >c.json; codemode run -q --json --mcp c.json -e 'return Object.keys(tools)' 2>err | grep -o '"server w [^}]*'
> "server w (c.json:1): its configuration is wrong: command: there is no program \"no-such\" in PATH"

== TOML and YAML that are none are told with line and column
$ printf 'a = 1\nb = [\n' >a.toml; printf 'a: 1\nb: [\n' >b.yaml; printf '[mcp_servers.s]\ncommand = 1\n' >c.toml
$ printf 'extensions:\n  s:\n    type: stdio\n    cmd: *no\n' >d.yml
$ printf '# no name says what this is\n[mcp_servers.s]\ncommand = "no-such"\n' >e.in
$ printf '[/]\n' >f.toml
$ for f in a.toml b.yaml c.toml d.yml e.in f.toml; do codemode run -q --mcp $f -e 'return 1'; echo $?; done
> 2
> 2
> 6
> 2
> 6
> 2
! codemode: a.toml:[23]:*: not TOML: *
! codemode: b.yaml:3:1: not YAML: *
! codemode: c.toml:2: s.command: must be a string or an array of strings
! codemode: no server came up
! codemode: d.yml:4:10: not YAML: this alias names no anchor before it
! codemode: e.in:3: s.command: there is no program "no-such" in PATH
! codemode: no server came up
! codemode: f.toml:1:2: not TOML: *

== a member that may restrict keeps the server off, another one is told
$ cat >c.json <<END
$ { "mcpServers": {
$   "a": { "command": "$SERVER", "onlyReadOnly": true },
$   "b": { "command": "$SERVER", "sandboxEnabled": true },
$   "c": { "command": "$SERVER", "enviroment": {} },
$   "d": { "command": "$SERVER", "autoApprove": ["x"], "alwaysAllow": [], "icon": "x.png", "sandboxEnabled": false },
$   "e": { "command": "$SERVER", "disabled": "perhaps" },
$   "f": { "command": "$SERVER", "disabled": "True" },
$   "g": { "command": "$SERVER", "colour": "red" } } }
$ END
$ codemode run -q --mcp c.json -e 'return [await tools.c.cwd(), await tools.d.cwd(), await tools.g.cwd()].length'
> 3
! codemode: c.json:2: a.onlyReadOnly: may restrict the server, in a way that codemode does not know: the server is left out. *
! codemode: c.json:3: b.sandboxEnabled: codemode does not fence servers in: the server is left out
! codemode: c.json:4: c.enviroment: is not known to codemode and has no effect; did you mean environment?
! codemode: c.json:6: e.disabled: must be true or false
! codemode: c.json:8: g.colour: is not known to codemode and has no effect

== filters hold in every spelling, and names that fit no tool are told
$ cat >c.json <<END
$ { "mcpServers": {
$   "a": { "command": "$SERVER", "allowedTools": ["e*"], "blockedTools": ["en*"] },
$   "b": { "command": "$SERVER", "tools": ["cwd", "typo"] },
$   "c": { "command": "$SERVER", "tools": { "*": false } },
$   "d": { "command": "$SERVER", "includeTools": ["echo", "cwd"], "enabled_tools": ["echo"], "excludeTools": ["echo"] },
$   "f": { "command": "$SERVER", "available_tools": [], "disabled_tools": ["*a*", "*i*", "b*", "h*", "sleep", "echo"] } } }
$ END
$ codemode tools -q --mcp c.json --json | sed 's/.*"path":"\([^"]*\)".*/\1/'
> a.echo
> b.cwd
> d.cwd
> f.cwd
> f.env
! codemode: c.json:3: b.tools: the server has no tool "typo"

== the cause of a start that fails: permission, interpreter
$ echo x >plain; printf '#!/no/such/interpreter\n' >a; printf '#!/usr/bin/env no-such-program\n' >b; chmod +x a b
$ codemode run -q --mcp-server p=./plain --mcp-server f=/ --mcp-server a=./a --mcp-server b=./b --mcp-server "s=$SERVER" -e 'return await tools.s.echo({ a: 1 })'
> {"a":1}
! codemode: --mcp-server p: ./plain cannot be executed: it has no permission for that (chmod +x)
! codemode: --mcp-server f: / is no file
! codemode: --mcp-server a: the first line of *a asks for the interpreter /no/such/interpreter, which is not there
! codemode: --mcp-server b: the first line of *b asks for the interpreter no-such-program, which is not there

== variables of all dialects
$ printf ' from a file \n' >token; printf '# comment\nexport A=one\nB="two\\nlines" # x\nC='"'"'x # y'"'"'\nD=plain # x\n' >.env
$ cat >c.json <<END
$ { "inputs": [{ "id": "region", "default": "eu" }, { "id": "tok-en" }],
$   "servers": { "s": { "command": "$SERVER", "envFile": ".env", "env": {
$   "V1": "{env:FROM}/{file:token}", "V2": "\$FROM", "V3": "pa\$\$word \$5 {\"a\": 1}", "V4": "\${input:region}-\${input:tok-en}", "D": "env wins" } } } }
$ END
$ FROM=here CODEMODE_INPUT_TOK_EN=t codemode run -q --mcp c.json -e 'for (const name of ["V1", "V2", "V3", "V4", "A", "B", "C", "D"]) text(await tools.s.env({ name }))'
> here/from a file
> here
> pa$$word $5 {"a": 1}
> eu-t
> one
> two
> lines
> x # y
> env wins
$ codemode run -q --mcp c.json -e 'return 1'
! codemode: c.json:3: s.env.V1: the variable {env:FROM} is not set
! codemode: no server came up
= 6

== a program that does not exist: exit 6
$ codemode run --mcp-server x=no-such-program -e 'return 1'
! codemode: --mcp-server x: there is no program "no-such-program" in PATH
! codemode: no server came up
= 6

== disabled ones are left out in silence
$ echo "{ \"mcpServers\": { \"a\": { \"command\": \"no-such\", \"disabled\": true }, \"b\": { \"enabled\": false } } }" >c.json
$ codemode run -q --mcp c.json -e 'return 1'
> 1

== commands as array, as line, with variables
$ cat >c.json <<END
$ { "mcpServers": {
$   "a": { "command": ["$SERVER", "--log", "a.log"], "args": [] },
$   "b": { "command": "$SERVER --log 'b b.log'" },
$   "c": { "command": "\${DIR_OF}/\${NAME_OF:-server}", "args": ["--log", "\${cwd}/\${NOT_SET:-c.log}"] } } }
$ END
$ cp "$SERVER" ./server; DIR_OF=$PWD codemode run -q --mcp c.json -e 'for (const s of ["a", "b", "c"]) await tools[s].echo({})'
$ ls *.log
> a.log
> b b.log
> c.log
! codemode: c.json:3: b.command: has blanks and there are no args: taken apart into 3 words

== values are not looked at again
$ echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\", \"env\": { \"A\": \"\${OUTER}\", \"N\": 5, \"T\": true, \"E\": \"\" } } } }" >c.json
$ OUTER='${HOME}' codemode run -q --mcp c.json -e 'for (const name of ["A", "N", "T", "E"]) text(await tools.s.env({ name }))'
> ${HOME}
> 5
> true
> 

== the environment of a server
$ echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\", \"env\": { \"LANG\": null, \"MINE\": \"x\" } } } }" >c.json
$ export SECRET_TOKEN=1 HOME=/h LANG=C LC_ALL=C XDG_DATA_HOME=/x https_proxy=p
$ codemode run -q --mcp c.json -e 'for (const name of ["SECRET_TOKEN", "HOME", "LANG", "LC_ALL", "XDG_DATA_HOME", "https_proxy", "MINE", "CODEMODE_DEPTH"]) text(name + "=" + await tools.s.env({ name }))'
> SECRET_TOKEN=(unset)
> HOME=/h
> LANG=(unset)
> LC_ALL=C
> XDG_DATA_HOME=/x
> https_proxy=p
> MINE=x
~ CODEMODE_DEPTH=[1-9]*

== where a server runs
$ mkdir -p p/.vscode p/sub q; cd q
$ echo "{ \"servers\": { \"s\": { \"command\": \"$SERVER\" }, \"t\": { \"command\": \"$SERVER\", \"cwd\": \"\${workspaceFolder}/sub\" }, \"u\": { \"command\": \"$SERVER\", \"cwd\": \"sub\" } } }" >../p/.vscode/mcp.json
$ cp ../p/.vscode/mcp.json ../p/sub/c.json; mkdir ../p/sub/sub
$ codemode run -q --mcp ../p/.vscode/mcp.json --mcp-server "v=$SERVER" -e 'for (const s of ["s", "t", "u", "v"]) text((await tools[s].cwd()).split("/").slice(-2).join("/"))'
$ codemode run -q --mcp ../p/sub/c.json -e 'text((await tools.s.cwd()).split("/").slice(-2).join("/"))'
> here/p
> p/sub
> p/sub
> here/q
> p/sub

== a later file replaces, an entry can be switched off by it
$ echo "{ \"mcpServers\": { \"s\": { \"command\": \"no-such\" }, \"t\": { \"command\": \"$SERVER\" } } }" >a.json
$ echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\" }, \"t\": { \"disabled\": true } } }" >b.json
$ codemode tools -q --mcp a.json --mcp b.json --json | grep -c '"space":"s"'
$ codemode tools -q --mcp a.json --mcp b.json --json | grep -c '"space":"t"'
> 9
> 0
! codemode: a.json:1: s.command: there is no program "no-such" in PATH
! codemode: a.json:1: s.command: there is no program "no-such" in PATH
= 1

== which tools a script may see
$ echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\", \"includeTools\": [\"echo\", \"cwd\"] }, \"b\": { \"command\": \"$SERVER\", \"enabled_tools\": [\"echo\", \"cwd\"], \"disabledTools\": [\"cwd\"] } } }" >c.json
$ codemode tools -q --mcp c.json --json | sed 's/.*"path":"\([^"]*\)".*/\1/'
> a.cwd
> a.echo
> b.echo

== never ourselves
$ echo "{ \"mcpServers\": { \"me\": { \"command\": \"codemode\", \"args\": [\"serve\"] }, \"s\": { \"command\": \"$SERVER\" } } }" >c.json
$ codemode run -q --mcp c.json -e 'return await tools.s.echo({ a: 1 })'
> {"a":1}
! codemode: c.json:1: me.command: is codemode itself, which is not started again

== and not as a server of ours
$ CODEMODE_DEPTH=1 codemode run --mcp-server "s=$SERVER" -e 'return 1'
! codemode: no server is started: this codemode was itself started by a server of codemode (CODEMODE_DEPTH is set)
! codemode: no server came up
= 6

== times
$ echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\", \"args\": [\"--slow\", \"5000\"], \"startup_timeout_ms\": 200 }, \"t\": { \"command\": \"$SERVER\", \"timeout\": { \"request\": 200 } }, \"u\": { \"command\": \"$SERVER\", \"timeout\": 20 } } }" >c.json
$ codemode run -q --mcp c.json -e 'try { await tools.t.hang() } catch (e) { text(e.message) }; return Object.keys(tools).sort()'
~ *200*
> ["t","u"]
! codemode: c.json:1: u.timeout: 20 is taken as seconds
! codemode: server s (c.json:1): *200*

== a private key in place of a client's secret
$ echo KEYKEYKEY >key.pem; echo '{"mcpServers":{"k":{"url":"https://127.0.0.1:9/mcp","oauth":{"clientId":"me","clientKey":"{file:key.pem}"}},"l":{"url":"https://127.0.0.1:9/mcp","oauth":{"clientKey":5}}}}' >c.json; codemode config --mcp c.json 2>&1
> c.json:
>   k: https://127.0.0.1:9/mcp (c.json:1)
>   l: cannot be started: clientKey: must be a string (c.json:1)
> notes:
>   c.json:1: l.clientKey: must be a string
