# Configurations that are found by themselves, and the trust that those of a
# project need. A case's folder is the project; HOME and the rest lie in it.

== the project's files, then the person's; a name counts where it stands first
$ unset CODEMODE_MCP XDG_CONFIG_HOME XDG_STATE_HOME CODEX_HOME CLAUDE_CONFIG_DIR; export HOME=$PWD/home; mkdir -p home/.cursor home/.codex project/.git project/.vscode project/sub
$ echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\", \"env\": { \"A\": \"project\" } } } }" >project/.mcp.json
$ echo "{ \"servers\": { \"b\": { \"command\": \"$SERVER\" }, \"a\": { \"command\": \"no-such\" } } }" >project/.vscode/mcp.json
$ echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\", \"env\": { \"A\": \"home\" } }, \"c\": { \"command\": \"$SERVER\" }, \"w\": { \"command\": \"no-such\" } } }" >home/.cursor/mcp.json
$ printf '[mcp_servers.d]\ncommand = "%s"\n' "$SERVER" >home/.codex/config.toml
$ echo '{ "mcpServers": { "outer": { "command": "no-such" } } }' >.mcp.json
$ cd project/sub
$ codemode run -e 'return [Object.keys(tools), await tools.a.env({ name: "A" })]' 2>&1 | sed "s#$HOME#~#g; s#$(cd ..; pwd)#project#g; s#$SERVER#SERVER#g; /call/d"
$ codemode config trust | sed "s#$(cd ..; pwd)#project#"; ls -l ../../home/.local/state/codemode/trusted | cut -c 1-10
$ codemode run -e 'return [Object.keys(tools), await tools.a.env({ name: "A" })]' 2>&1 | sed "s#$HOME#~#g; s#$(cd ..; pwd)#project#g; /call/d"
$ codemode config trust
$ codemode run -q -e 'return await tools.a.cwd()' | sed 's#.*/here/##; s/"//'; codemode run -q -e 'return await tools.c.cwd()' | sed 's#.*/here/##; s/"//'
$ codemode run --mcp none -q -e 'return Object.keys(tools).length'
> codemode: project/.mcp.json is not trusted yet, so its servers are left out (a: SERVER): see codemode config trust
> codemode: project/.vscode/mcp.json is not trusted yet, so its servers are left out (b: SERVER; a: no-such): see codemode config trust
> codemode: servers: 2 of ~/.cursor/mcp.json, 1 of ~/.codex/config.toml; codemode config says what is left out
> [["a","c","d"],"home"]
> project/.mcp.json is trusted as it stands now
> project/.vscode/mcp.json is trusted as it stands now
> -rw-------
> codemode: servers: 1 of project/.mcp.json, 1 of project/.vscode/mcp.json, 1 of ~/.cursor/mcp.json, 1 of ~/.codex/config.toml; codemode config says what is left out
> [["a","b","c","d"],"project"]
> no file of this project waits for trust
> project
> project/sub
> 0

== trust is for exactly that text at that place, and for a list that only its owner reads
$ unset CODEMODE_MCP XDG_STATE_HOME; export HOME=$PWD/home; mkdir -p home p q; cd p
$ echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\" } } }" >.mcp.json; cp .mcp.json ../q
$ count() { codemode run -q -e 'return Object.keys(tools).length' 2>/dev/null; }
$ count; codemode config trust .mcp.json; count; (cd ../q; count)
$ echo >>.mcp.json; count; codemode config trust; count
$ chmod 644 ../home/.local/state/codemode/trusted; count
$ codemode config trust no-such.json
> 0
> .mcp.json is trusted as it stands now
> 1
> 0
> 0
> .mcp.json is trusted as it stands now
> 1
> 0
! codemode: no-such.json: cannot be read: No such file or directory
= 2

== a broken file of the person stops nothing, and codemode config names it
$ unset CODEMODE_MCP XDG_CONFIG_HOME; export HOME=$PWD/home; mkdir -p home/.cursor home/.gemini p; echo '{' >home/.cursor/mcp.json; echo '{ "theme": "x" }' >home/.gemini/settings.json; cd p
$ codemode run -q -e 'return 1'; codemode tools -q; echo $?; codemode run -e 'return 1' 2>&1 | sed "s#$HOME#~#g; /no calls/d"
$ codemode config | sed "s#$HOME#~#g"
> 1
> 2
> codemode: ~/.cursor/mcp.json:2:1: not JSON: the text ends inside an object: the file is left out
> 1
> ~/.cursor/mcp.json (Cursor): cannot be used: ~/.cursor/mcp.json:2:1: not JSON: the text ends inside an object
> ~/.gemini/settings.json (Gemini CLI): no servers
! codemode: no servers were found: give --mcp FILE

== HOME is no project, and a codemode of a server of codemode looks for nothing
$ unset CODEMODE_MCP; export HOME=$PWD; echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\" } } }" >.mcp.json; cp .mcp.json .claude.json
$ codemode run -q -e 'return Object.keys(tools)'; CODEMODE_DEPTH=1 codemode run -q -e 'return Object.keys(tools)'
> ["a"]
> []

== what Claude Code was told to leave out of .mcp.json is left out
$ unset CODEMODE_MCP CLAUDE_CONFIG_DIR; export HOME=$PWD/home; mkdir -p home p; cd p; echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\" }, \"b\": { \"command\": \"$SERVER\" } } }" >.mcp.json
$ echo "{ \"projects\": { \"$PWD\": { \"disabledMcpjsonServers\": [\"b\"] } } }" >../home/.claude.json
$ codemode config trust >out; codemode run -q -e 'return Object.keys(tools)'; codemode config | grep -c 'b: off: is left out by the lists'
> ["a"]
> 1

== on a terminal the person is asked, once
? script -qec true /dev/null
$ unset CODEMODE_MCP; export HOME=$PWD/home; mkdir -p home p; cd p; echo "{ \"mcpServers\": { \"a\": { \"command\": \"$SERVER\" } } }" >.mcp.json
$ ask() { echo "$1" | script -qec "codemode run -q -e 'return Object.keys(tools).length'" /dev/null | tr '\r\n' '  ' | sed "s#$SERVER#SERVER#g" | grep -o 'wants to start\|  a: SERVER\|\[y/N\]\|is not trusted yet\|[01] *$' | xargs; }
$ ask n; ask y; ask n
> wants to start a: SERVER [y/N] is not trusted yet 0
> wants to start a: SERVER [y/N] 1
> 1

== --mcp takes a URL, a command, a file, or none; so does CODEMODE_MCP
$ codemode config --json --mcp https://mcp.linear.app/sse --mcp "npx -y @scope/server-files@1.2 ." --mcp none 2>/dev/null | grep -o '"name":"[a-z]*"'
$ codemode run -q --mcp "$SERVER --tag x" -e 'return await tools.cli_server.echo({ a: 1 })'
$ echo "{ \"mcpServers\": { \"f\": { \"command\": \"$SERVER\" } } }" >'a file.json'
$ codemode run -q --mcp 'a file.json' -e 'return Object.keys(tools)'; CODEMODE_MCP='a file.json' codemode run -q -e 'return Object.keys(tools)'
$ codemode config --json --mcp-server u=http://localhost:1/ | grep -o '"url":"[^"]*"'
> "name":"linear"
> "name":"files"
> {"a":1}
> ["f"]
> ["f"]
> "url":"http://localhost:1/"
