# What README.md says of the command and of scripts, tried. More of the command
# in the files of its manual pages.

" only what it prints or returns comes back
== a result of a tool that the script throws away
$ codemode run -q --mcp-server "s=$SERVER" -e 'const t = await tools.s.big({ bytes: 1000000 }); return t.length'
> 1000000

" --mcp-server name='npx some-server' names one on the line
== a server on the line
$ codemode run -q --mcp-server "name=$SERVER --tag x" -e 'return Object.keys(tools)'
> ["name"]

" What the script prints, and then its value, goes to stdout; everything for people goes to stderr.
== stdout and stderr
$ codemode run -q -e 'text("a"); console.log("b"); return 1'
> a
> 1
! b

" --json prints one object with value, output, calls, warnings and error, whatever happens.
== members
$ codemode run -q --json -e 'text("a"); return 1' >ok.json; codemode run -q --json -e 'throw 1' >bad.json; codemode run -q --json --bogus >worse.json 2>err; cat ok.json bad.json worse.json | wc -l
$ for m in value output calls warnings; do grep -c "\"$m\":" ok.json; done | sort -u; grep -c '"error":' bad.json worse.json
> 3
> 1
> bad.json:1
> worse.json:1

" The exit code says what failed: 0 nothing, 1 the script, 2 the command line or a file that it names, 3 time is over, 4 a signal, 5 the sandbox, 6 no server came up, 7 stdout, the store or the record could not be written, 8 a replayed run differs (replay(doc/guide/replay.md)).
== some of them; all of them in codemode-run.t
$ for s in 'return 1' 'throw 1'; do codemode run -q -e "$s" >out 2>err; echo $?; done; codemode run -q --timeout 200 -e 'for (;;);' 2>err; echo $?; codemode run no.js 2>err; echo $?
> 0
> 1
> 3
> 2

" Instead of all their tools the model sees one
== one tool for two servers
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode serve -q --mcp-server "a=$SERVER" --mcp-server "b=$SERVER" | grep -o '"name":"[a-z]*"'
> "name":"codemode"

" Each script runs in a process of its own that has nothing: no environment, no file, no network, and 18 system calls
== the doctor tries it; here, that the process is another one
$ codemode run -q --json -e 'return 1' | grep -o '"place":"[a-z]*"'; codemode run -q --json --place inline -e 'return 1' | grep -o '"place":"[a-z]*"'
> "place":"process"
> "place":"inline"

" The JavaScript of QuickJS-ng with top-level await and return, and beside the language: tools, ALL_TOOLS, text, image, audio, file, resource, console, exit, store, load, setTimeout, AbortController, URL, TextDecoder, structuredClone, crypto, Buffer, Intl for en-US and other globals of the web and of Node (doc/guide/globals.md(doc/guide/globals.md)), and codemode.sleep, race (the losers' calls are stopped), all
== the names
$ codemode run -q -e 'await null; return [tools, ALL_TOOLS, text, image, audio, file, resource, console, exit, store, load, setTimeout, AbortController, codemode.sleep, codemode.race, codemode.all, codemode.map, codemode.result, codemode.search, codemode.describe].map(x => typeof x).join(" ")'
> "object object function function function function function object function function function function function function function function function function function function"

" A call takes tools.x(args, { signal, timeoutMs, integers: "exact" }).
== a time and a signal of its own
$ codemode run -q --mcp-server "s=$SERVER" -e 'const stop = new AbortController(); const names = []; await tools.s.hang({}, { timeoutMs: 50 }).catch(e => names.push(e.name)); const p = tools.s.hang({}, { signal: stop.signal }).catch(e => names.push(e.name)); stop.abort(); await p; return names'
> ["TimeoutError","AbortError"]

" No files, no network, no modules.
== an import
$ codemode run -q -e 'import fs from "fs"; return 1' 2>err; echo $?; codemode run -q -e 'return typeof fetch'
> 1
> "undefined"

" What models write around a script is understood: TypeScript that only needs erasing, Markdown fences, export default, a lone function, a last expression instead of return.
== each of them
$ r() { codemode run -q -; }; echo 'const a: number = 1; return a as number' | r; printf 'Sure:\n```js\nreturn 2\n```\n' | r; echo 'export default 3' | r; echo 'async () => 4' | r; echo 'const a = 5; a' | r
> 1
> 2
> 3
> 4
> 5

" Limits are on by default: five minutes, 256 MiB, 10,000 calls of which 16 at once, and more
== calls at once, and calls
$ codemode run -q --mcp-server "s=$SERVER --log log --gate gate" -e 'await Promise.all(Array.from({ length: 20 }, () => tools.s.hold({}))); return' & until grep -qs 'most 16' log; do sleep 0.02; done; touch gate; wait; grep -c 'most 17' log
$ codemode run -q --mcp-server "s=$SERVER" -e 'for (let i = 0; i < 10001; i++) await tools.s.echo({})' 2>&1 | head -1
$ codemode run -q -e 'const a = []; for (;;) a.push(new Array(1e6).fill(1.5))' 2>&1 | head -1
> 0
~ codemode: *10000*
~ codemode: *memory*

" codemode finds the servers that your agents have already
" codemode call SERVER.TOOL key=value makes one call.
" codemode config add-to claude --move does it for you
== found, called, moved
$ unset CODEMODE_MCP XDG_CONFIG_HOME CLAUDE_CONFIG_DIR; export HOME=$PWD; echo "{\"mcpServers\":{\"s\":{\"command\":\"$SERVER\"}}}" >.claude.json
$ codemode run -q -e 'return Object.keys(tools)'; codemode call -q s.echo text=x; codemode config add-to claude --move >out; cat .claude.json; codemode call -q s.echo text=y
> ["s"]
> {"text":"x"}
> {"mcpServers":{ "codemode": { "type": "stdio", "command": "codemode", "args": ["serve"] } }}
> {"text":"y"}
