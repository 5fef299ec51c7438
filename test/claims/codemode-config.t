# What codemode-config(1) says, tried. More of it: test/cli/found.t, add.t and
# dialects.t.

" first in the project, which is the folder where codemode runs and those above it up to the one with .git, then in the home of the person. The server that is found first under a name counts. One line says what was taken from where.
" A file that is named by --mcp needs no trust.
" codemode config trust trusts the files that are named, or else all of the project, as they stand now. When a file changes it must be trusted again.
== found in the project and at home
$ unset CODEMODE_MCP XDG_CONFIG_HOME XDG_STATE_HOME; export HOME=$PWD/h; mkdir -p h p/.git p/sub; c() { echo "{\"mcpServers\":{\"$1\":{\"command\":\"$SERVER\"},\"x\":{\"command\":\"$SERVER --tag $1\"}}}"; }
$ c above >.mcp.json; c project >p/.mcp.json; c home >h/.claude.json; cd p/sub
$ codemode run -q -e 'return Object.keys(tools)' 2>err; codemode run -q --mcp ../.mcp.json -e 'return Object.keys(tools)' 2>err; codemode config trust >out; codemode run -e 'return Object.keys(tools)' 2>err; sed -n 's#/[^ ]*here#here#g; /servers:/p' err; echo >>../.mcp.json; codemode run -q -e 'return Object.keys(tools)' 2>err
> ["home","x"]
> ["project","x"]
> ["home","project","x"]
> codemode: servers: 2 of here/p/.mcp.json, 1 of here/h/.claude.json
> ["home","x"]

" it starts nothing.
" With --json it prints one object with files, servers and notes. Values of variables and headers are not shown.
== nothing is started, no value is shown
$ echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\",\"args\":[\"--log\",\"log\",\"--key=sec-ret-sec-ret\"],\"env\":{\"TOKEN\":\"sec-ret-sec-ret\"}},\"u\":{\"url\":\"http://h/\",\"headers\":{\"A\":\"sec-ret\"}}}}" >c.json
$ codemode config --mcp c.json >out; codemode config --json --mcp c.json >json; ls log 2>&1 | wc -l; grep -c sec-ret out json; grep -c "environment: TOKEN\\|env\":.\"TOKEN" out json; for m in files servers notes; do grep -c "\"$m\":" json; done | xargs; ls log 2>/dev/null
> 1
> out:0
> json:0
> out:1
> json:1
> 1 1 1
= 2

" What was trusted stands in $XDG_STATE_HOME/codemode/trusted, or below ~/.local/state, as hashes with a secret key; a list that others can read counts as empty.
== the list
$ unset CODEMODE_MCP; export HOME=$PWD/h XDG_STATE_HOME=$PWD/state; mkdir h p; cd p; echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\"}}}" >.mcp.json
$ codemode config trust >out; tr '0-9a-f' '#' <../state/codemode/trusted | sed 's# .*##'; codemode run -q -e 'return Object.keys(tools)'; chmod g+r ../state/codemode/trusted; codemode run -q -e 'return Object.keys(tools)' 2>err
> ################################################################
> ################################
> ["s"]
> []

" 0 when it is done, 2 wrong usage or a file that cannot be used, 7 standard output could not be written.
== exit codes
$ unset CODEMODE_MCP; export HOME=$PWD; code() { codemode config "$@" >out 2>&1; echo $?; }
$ code; code what; code --mcp no.json; code trust no.json; code add-to nothing; codemode config 2>err >/dev/full; echo $?
> 0
> 2
> 2
> 2
> 2
> 7

" codemode config add-to writes the server codemode into the configuration of a client: claude, codex, cursor, vscode, gemini, opencode, zed or goose. Nothing else of the file changes, and a copy of what it was is kept beside it, with .bak at the end of the name. With --print it only prints the new text.
" With --move the servers that the client had are removed there and written to ~/.config/codemode/mcp.json, so that they are reached through codemode alone.
" Extensions that are parts of Goose itself stay.
" A file is left unchanged when the move would lose something: lists of servers or tools, and inputs.
== add-to
$ unset CODEMODE_MCP XDG_CONFIG_HOME CODEX_HOME CLAUDE_CONFIG_DIR; export HOME=$PWD; mkdir -p .codex .cursor .gemini .config/Code/User .config/opencode .config/zed .config/goose; echo "{ \"mcpServers\": { \"s\": { \"command\": \"$SERVER\" } } } // kept" >.claude.json; cp .claude.json was
$ codemode config add-to claude --print; cmp was .claude.json; for c in claude codex cursor vscode gemini opencode zed goose; do codemode config add-to $c >out || echo $c; done; cmp was .claude.json.bak; codemode config --json | grep -o '"why":"[^"]*"' | uniq -c | tr -s ' '
$ cp was .claude.json; codemode config add-to claude --move >out; cat .claude.json .config/codemode/mcp.json | sed "s#$SERVER#SERVER#"; codemode run -q -e 'return Object.keys(tools)'
~ { "mcpServers": { "s": { "command": "*" }, "codemode": { "type": "stdio", "command": "codemode", "args": ?"serve"? } } } // kept
>  1 "why":"command: is codemode itself, which is not started again"
> { "mcpServers": { "codemode": { "type": "stdio", "command": "codemode", "args": ["serve"] } } } // kept
> {
>   "mcpServers": {
>     "s": {"command":"SERVER"}
>   }
> }
> ["s"]
$ cp "$DATA"/../cli/config/* .; for x in gemini:gemini.json vscode:vscode.json opencode:opencode.jsonc; do codemode config add-to ${x%:*} --move --file ${x#*:} 2>err; echo $?; cmp ${x#*:} "$DATA/../cli/config/${x#*:}"; done
> 2
> 2
> 2
