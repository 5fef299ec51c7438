# codemode config add-to: the entry stands in the client's file, and all else of
# it is what it was, byte for byte.

== each client, with --print: nothing is written, and only lines are added
$ cp "$DATA"/config/* .; export HOME=$PWD
$ for x in claude:claude.json cursor:cursor.json vscode:vscode.json codex:codex.toml goose:goose.yaml opencode:opencode.jsonc gemini:gemini.json zed:zed.json; do f=${x#*:}; codemode config add-to ${x%%:*} --file $f --print >new || echo "$x: $?"; diff $f new | grep '^[<>]'; done; ls *.bak* 2>/dev/null; cmp cursor.json "$DATA/config/cursor.json"
> < 		"blocked": { "command": "cat" }
> > 		"blocked": { "command": "cat" },
> > 		"codemode": { "type": "stdio", "command": "codemode", "args": ["serve"] }
> >     "codemode": { "command": "codemode", "args": ["serve"] },
> < 		"fenced": { "type": "stdio", "command": "cat", "sandboxEnabled": true }
> > 		"fenced": { "type": "stdio", "command": "cat", "sandboxEnabled": true },
> > 		"codemode": { "type": "stdio", "command": "codemode", "args": ["serve"] }
> > 
> > [mcp_servers.codemode]
> > command = "codemode"
> > args = ["serve"]
> >   codemode:
> >     name: codemode
> >     type: stdio
> >     enabled: true
> >     timeout: 300
> >     cmd: "codemode"
> >     args: ["serve"]
> <     "off": { "enabled": false }
> >     "off": { "enabled": false },
> >     "codemode": { "type": "local", "command": ["codemode", "serve"], "enabled": true }
> <     "other": { "command": "cat" }
> >     "other": { "command": "cat" },
> >     "codemode": { "command": "codemode", "args": ["serve"] }
> <     "part": { "source": "extension", "settings": {} }
> >     "part": { "source": "extension", "settings": {} },
> >     "codemode": { "source": "custom", "command": "codemode", "args": ["serve"], "env": {} }

== files of odd shapes
$ export HOME=$PWD; add() { printf "$1" >c.json; codemode config add-to cursor --file c.json --print; }
$ add ''; add '{}'; add '{ "a": 1 }\n'; add '{ "mcpServers": {} }'; add '{\n\t"mcpServers": {\n\t}, // end\n\t"z": [1, 2] // last, with a comma\n\n}\n'; add '{ "mcpServers": { "a": { "command": "x" }, /* , */ } }'; add '{\n  "mcpServers": {\n    "a": {} // the "first", // really\n  }\n}\n'
> {
>   "mcpServers": { "codemode": { "command": "codemode", "args": ["serve"] } }
> }
> {
>   "mcpServers": { "codemode": { "command": "codemode", "args": ["serve"] } }
> }{ "a": 1, "mcpServers": { "codemode": { "command": "codemode", "args": ["serve"] } } }
> { "mcpServers": {
>   "codemode": { "command": "codemode", "args": ["serve"] }
> } }{
> 	"mcpServers": {
> 		"codemode": { "command": "codemode", "args": ["serve"] }
> 	}, // end
> 	"z": [1, 2] // last, with a comma
> 
> }
> { "mcpServers": { "a": { "command": "x" }, "codemode": { "command": "codemode", "args": ["serve"] }, /* , */ } }{
>   "mcpServers": {
>     "a": {}, // the "first", // really
>     "codemode": { "command": "codemode", "args": ["serve"] }
>   }
> }

== it is written once, a copy is kept, and codemode does not start itself
$ export HOME=$PWD; mkdir .cursor; echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\" } } }" >.cursor/mcp.json; chmod 600 .cursor/mcp.json; cp .cursor/mcp.json was
$ codemode config add-to cursor | sed "s#$HOME#~#g"; codemode config add-to cursor | sed "s#$HOME#~#g"; cmp was .cursor/mcp.json.bak; ls -l .cursor | sed 1d | cut -c 1-10
$ unset CODEMODE_MCP; codemode run -q -e 'return Object.keys(tools)'
> ~/.cursor/mcp.json: codemode is added; what it was: ~/.cursor/mcp.json.bak
> it has other servers, too: with --move they are reached through codemode alone
> ~/.cursor/mcp.json: codemode is there already
> -rw-------
> -rw-------
> ["s"]

== --move: the servers are codemode's from then on
$ unset CODEMODE_MCP XDG_CONFIG_HOME CODEX_HOME; export HOME=$PWD; mkdir .cursor .codex
$ echo "{ \"theme\": 1, \"mcpServers\": { \"s\": { \"command\": \"$SERVER\", \"env\": { \"A\": \"\${HOME}\" } }, \"t\": { \"command\": \"$SERVER\", \"disabled\": true } } }" >.cursor/mcp.json
$ printf '# kept\nmodel = "x"\n[mcp_servers.u]\ncommand = "%s"\n[mcp_servers.u.env]\nA = "1"\n\n[other]\nb = 1\n' "$SERVER" >.codex/config.toml
$ for c in cursor codex; do codemode config add-to $c --move | sed "s#$HOME#~#g"; done; cat .cursor/mcp.json .codex/config.toml; codemode config --json | grep -o '"name":"[a-z]*","where":"[^"]*mcp.json:[0-9]","state":"[a-z]*"' | sed "s#$HOME#~#g"
$ codemode run -q -e 'return [Object.keys(tools), await tools.u.env({ name: "A" })]'
> ~/.config/codemode/mcp.json: 2 servers moved here
> ~/.cursor/mcp.json: codemode is added; what it was: ~/.cursor/mcp.json.bak
> ~/.config/codemode/mcp.json: 1 server moved here
> ~/.codex/config.toml: codemode is added; what it was: ~/.codex/config.toml.bak
> { "theme": 1, "mcpServers": { "codemode": { "command": "codemode", "args": ["serve"] } } }
> # kept
> model = "x"
> [other]
> b = 1
> 
> [mcp_servers.codemode]
> command = "codemode"
> args = ["serve"]
> "name":"s","where":"~/.config/codemode/mcp.json:3","state":"start"
> "name":"t","where":"~/.config/codemode/mcp.json:4","state":"off"
> "name":"u","where":"~/.config/codemode/mcp.json:5","state":"start"
> "name":"codemode","where":"~/.cursor/mcp.json:1","state":"off"
> [["s","u"],"1"]

== --move out of Goose's YAML: its own parts stay, with comments and the rest of the file
$ unset CODEMODE_MCP XDG_CONFIG_HOME; export HOME=$PWD; mkdir -p .config/goose
$ printf '# mine\nGOOSE_MODEL: x # the model\nextensions:\n  # theirs\n  developer:\n    type: builtin\n    enabled: true\n  # of the team\n  s:\n    type: stdio\n    cmd: %s\n    args: []\n    # seconds\n    timeout: 5\n    enabled: true\n\n  # the last\n  far:\n    type: streamable_http\n    uri: https://mcp.example/mcp\n    enabled: false\n\n# more\nGOOSE_MODE: auto\n' "$SERVER" >.config/goose/config.yaml
$ codemode config add-to goose --move | sed "s#$HOME#~#g"; cat .config/goose/config.yaml; sed "s#$SERVER#SERVER#" .config/codemode/mcp.json
$ codemode run -q -e 'return Object.keys(tools)'
> ~/.config/codemode/mcp.json: 2 servers moved here
> ~/.config/goose/config.yaml: codemode is added; what it was: ~/.config/goose/config.yaml.bak
> # mine
> GOOSE_MODEL: x # the model
> extensions:
>   codemode:
>     name: codemode
>     type: stdio
>     enabled: true
>     timeout: 300
>     cmd: "codemode"
>     args: ["serve"]
>   # theirs
>   developer:
>     type: builtin
>     enabled: true
>   # of the team
> 
>   # the last
> 
> # more
> GOOSE_MODE: auto
> {
>   "mcpServers": {
>     "s": {"type":"stdio","cmd":"SERVER","args":[],"toolTimeoutSec":5,"enabled":true},
>     "far": {"type":"streamable_http","uri":"https://mcp.example/mcp","enabled":false}
>   }
> }
> ["s"]

== --move: what other servers are written with stays, or nothing is moved
$ unset CODEMODE_MCP XDG_CONFIG_HOME; export HOME=$PWD; mkdir -p .config/codemode
$ printf 'extensions: { a: { type: stdio, cmd: x } }\n' >flow.yaml; printf 'extensions:\n  a: &a\n    type: stdio\n    cmd: x\nother: *a\n' >alias.yaml; printf 'extensions:\n  codemode:\n    type: stdio\n    cmd: codemode\n  text:\n    type: stdio\n    cmd: |\n      # no comment\n\n      x' >block.yaml
$ for f in flow alias block; do codemode config add-to goose --file $f.yaml --move 2>&1 | sed "s#$HOME#~#g; s/ without .*//; q"; done; cat flow.yaml alias.yaml block.yaml
> codemode: flow.yaml: cannot be edited
> codemode: alias.yaml: cannot be edited
> ~/.config/codemode/mcp.json: 1 server moved here
> extensions: { a: { type: stdio, cmd: x } }
> extensions:
>   a: &a
>     type: stdio
>     cmd: x
> other: *a
> extensions:
>   codemode:
>     name: codemode
>     type: stdio
>     enabled: true
>     timeout: 300
>     cmd: "codemode"
>     args: ["serve"]

== what cannot be done is told, and nothing is written
$ cp "$DATA"/config/* .; export HOME=$PWD/home; mkdir -p home/.config/codemode; code() { codemode config add-to "$@"; echo $?; }
$ printf 'extensions: {}\n' >a.yaml; printf 'mcp_servers = {}\n' >a.toml; echo '[]' >a.json; echo '{' >b.json; echo '{"mcpServers":{"s":{"command":"x"}}}' | tee c.json >home/.config/codemode/mcp.json
$ code goose --file a.yaml; code codex --file a.toml; code claude --file a.json; code claude --file b.json; code emacs; code zed; code cursor --file c.json --move; code gemini --file gemini.json --move; ls *.bak 2>/dev/null; cat a.yaml a.toml c.json
> 2
> 2
> 2
> 2
> 2
> 2
> 2
> 2
> extensions: {}
> mcp_servers = {}
> {"mcpServers":{"s":{"command":"x"}}}
! codemode: a.yaml: cannot be edited without changing more of it. Write by hand, as "codemode" in extensions:
! name: codemode
! type: stdio
! enabled: true
! timeout: 300
! cmd: "codemode"
! args: ?"serve"?
! codemode: a.toml: cannot be edited without *
! command = "codemode"
! args = ?"serve"?
! codemode: a.json: it is no object
! codemode: b.json:2:1: not JSON: *
! codemode: config: add-to emacs: it must be one of claude|codex|cursor|vscode|gemini|opencode|zed|goose
! codemode: */home/.config/zed/settings.json: there is no folder */home/.config/zed: is the client installed? --file names another file
! codemode: c.json: nothing is moved: */home/.config/codemode/mcp.json has a server s already
! codemode: gemini.json: has more beside its servers *
