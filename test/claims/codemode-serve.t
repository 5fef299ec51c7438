# What codemode-serve(1) says, tried with lines of the protocol. A function
# "ask ID CODE" writes a call; the end of stdin lets what was asked come to its
# end.

" Speaks MCP on standard input and output
" It starts the servers and offers one tool in their place, codemode.
" Its argument code is a script, as for codemode-run(1); its argument timeoutMs, which may be left out, is the time that the script gets.
== the list of tools
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode serve -q --mcp-server "s=$SERVER" | grep -o '"name":"[a-z]*"\|"required":\[[^]]*\]\|"timeoutMs"'
> "name":"codemode"
> "timeoutMs"
> "required":["code"]

== the time of a script
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"for (;;);","timeoutMs":100}}}' | codemode serve -q | grep -o '"isError":true\|[^0-9]100 ms' | sort
>  100 ms
> "isError":true

" The argument data is any JSON: the script finds it as data.
== data
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return data.n + 1","data":{"n":41}}}}' | codemode serve -q | grep -o '"text":"42"'
> "text":"42"

" The description of the tool says how a script looks and which tools there are: every server with the number of its tools, and as many signatures as fit into about 2,000 tokens, those of tools that only read first.
" In a script codemode.search() finds the others, and ALL_TOOLS has all of them.
== many servers
$ set --; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do set -- "$@" --mcp-server "s$i=$SERVER"; done
$ printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return ALL_TOOLS.length + codemode.search(\"hangs\").length"}}}' | codemode serve -q "$@" >out
$ grep -o 'tools.s[0-9]*: 9 tools' out | wc -l; grep -o '"text":"[0-9]*"' out; grep '"id":1,' out | wc -c | sed 's/^[0-9]\{4,5\}$/some kB/'; grep -c 'hang()' out
> 20
> "text":"190"
> some kB
> 1

" The description stays the same, byte for byte, as long as the tools do.
== two sessions, servers that come up in another order
$ list() { echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode serve -q "$@"; }
$ list --mcp-server "a=$SERVER --slow 200" --mcp-server "b=$SERVER" >1; list --mcp-server "b=$SERVER" --mcp-server "a=$SERVER" >2; cmp 1 2 && echo same
> same

" --instructions replaces its text; --print-description prints it, with its size.
== a text of our own: the catalog at a place of it, or behind it
$ printf 'Call {{example}}, {{x}}.\n{{catalog}}End.' >1; printf 'Mine.' >2; : >3; printf '\377' >4
$ for i in 1 2; do codemode serve -q --instructions $i --print-description --mcp-server "s=$SERVER" | grep -v '^  '; done; for i in 3 4 5; do codemode serve -q --instructions $i; done
> Call tools.s.bad({}), {{x}}.
> COMPLETE: all 9 tools.
> tools.s: 9 tools
> End.
> Mine.
> COMPLETE: all 9 tools.
> tools.s: 9 tools
! codemode: * bytes, about * tokens
! codemode: * bytes, about * tokens
! codemode: --instructions 3: it is empty
! codemode: --instructions 4: it is not UTF-8
! codemode: --instructions 5: *
= 2

" The answer is what the script printed, images, audio and resources included, and then its value as JSON (a string: as text). Images and audio inside of the value become blocks of the answer.
== printed text, an image, the value
$ png=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==
$ echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"codemode\",\"arguments\":{\"code\":\"text('a'); image({ type: 'image', data: '$png', mimeType: 'image/png' }); return [1]\"}}}" | codemode serve -q | sed "s|$png|PNG|"
> {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":"PNG","mimeType":"image/png"},{"type":"text","text":"[1]"}]}}

== an image inside of the value
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return [{ type: `image`, data: `AAAA`, mimeType: `image/png` }]"}}}' | codemode serve -q
> {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"type\":\"image\",\"data\":\"(a block of this answer)\",\"mimeType\":\"image/png\"}]"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}}

== a string
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return `bare`"}}}' | codemode serve -q
> {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"bare"}]}}

" An object that is the whole answer is also its structured content.
== an object
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return { a: 1 }"}}}' | codemode serve -q
> {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}}

" the whole is codemode.result(id) in later scripts and the resource codemode://result/id, to which the answer has a link.
" The last 16 of these are kept, up to 8 MiB in all and for an hour.
== a link, and what is behind it (cli.serve keeps more than sixteen)
$ mkfifo in; codemode serve -q <in >out & exec 3>in
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return `x`.repeat(50000)"}}}' >&3; until grep -qs '"id":1' out; do sleep 0.02; done
$ echo '{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"codemode://result/1"}}' >&3; echo '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return codemode.result(1).length"}}}' >&3; until grep -qs '"id":3' out; do sleep 0.02; done; exec 3>&-; wait
$ grep -o '"resource_link","uri":"[^"]*"' out; grep '"id":2' out | grep -o 'x*' | wc -L; grep -o '"text":"50000"' out
> "resource_link","uri":"codemode://result/1"
> 50000
> "text":"50000"

" The instructions of a server follow the first answer of a session whose script called it, unless the description has all of them.
== two scripts that call a server (cli.serve has more)
$ call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return await tools.s.echo({})"}}}'; says="$(printf 'first\nsecond')"
$ printf '%s\n' '{"mcpServers":{"s":{"command":"'"$SERVER"'","args":["--says","first\nsecond"]},"t":{"command":"'"$SERVER"'","args":["--says","one line"]}}}' >c.json
$ printf '%s\n' "$call" "$call" | codemode serve -q --mcp c.json | grep -o 'What the server [^}]*'
> What the server s says about its use:\nfirst\nsecond"

" An answer has at most about 6,000 tokens of text (24,000 bytes) and says how much is left out
== a long value
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return `x`.repeat(50000)"}}}' | codemode serve -q >out; grep -o '[0-9]* bytes of the value left out' out; [ "$(wc -c <out)" -lt 24500 ] && echo short
~ 260* bytes of the value left out
> short

" When a script fails, the answer is marked as an error and says where it failed, which calls were done, which were stopped halfway and which never began.
== a failed script
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"await tools.s.echo({}); tools.s.hang({}); tools.s.sleep({}); await null; await tools.t.fail({ text: 1 })"}}}' | codemode serve -q --concurrency 2 --server-concurrency 1 --mcp-server "s=$SERVER" --mcp-server "t=$SERVER" | grep -o '"isError":true\|failed at line 1\|Calls done: s.echo\|Calls stopped halfway[^:]*: s.hang\|Calls that never began: s.sleep'
> failed at line 1
> Calls done: s.echo
> Calls stopped halfway, which may have done their work: s.hang
> Calls that never began: s.sleep
> "isError":true

" A server that the script can name and that is not up causes a warning of one line
== three scripts that name it
$ call() { echo "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"codemode\",\"arguments\":{\"code\":\"typeof tools.gone\"}}}"; }
$ { call 1; call 2; call 3; } | codemode serve -q --mcp-server "gone=$SERVER --die broken" --mcp-server "s=$SERVER" 2>err | grep -c 'Warning: server gone[^\\]*broken'
> 3

" For scripts that may name any server, each missing server is reported once.
== three scripts that use tools in another way than by name
$ call() { echo "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"codemode\",\"arguments\":{\"code\":\"Object.keys(tools)\"}}}"; }
$ { call 1; call 2; call 3; } | codemode serve -q --mcp-server "gone=$SERVER --die broken" --mcp-server "s=$SERVER" 2>err | grep -c 'Warning: server gone[^\\]*broken'
> 1

" further ones begin in the order in which they came
" Up to 64 scripts run side by side
== the sixty-fifth
$ n=1; while [ $n -le 66 ]; do echo "{\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"tools/call\",\"params\":{\"name\":\"codemode\",\"arguments\":{\"code\":\"await tools.s.hold({})\"}}}"; n=$((n + 1)); done >calls
$ { cat calls; until grep -qs 'most 64' log; do sleep 0.02; done; touch gate; } | codemode serve -q --mcp-server "s=$SERVER --log log --gate gate" >out; grep -c '"result"' out; grep -c 'most 65' log
> 66
> 0
= 1

" The limits --server-concurrency and --tool-concurrency hold for all scripts together: calls above them wait in the order in which they came.
== eight scripts, two calls at a time
$ n=1; while [ $n -le 8 ]; do echo "{\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"tools/call\",\"params\":{\"name\":\"codemode\",\"arguments\":{\"code\":\"await tools.s.hold({})\"}}}"; n=$((n + 1)); done >calls
$ for option in server tool; do { cat calls; until grep -qs 'most 2' log.$option; do sleep 0.02; done; touch gate.$option; } | codemode serve -q --$option-concurrency 2 --mcp-server "s=$SERVER --log log.$option --gate gate.$option" | grep -c '"result"'; grep -c 'most 3' log.$option; done
> 8
> 0
> 8
> 0
= 1

" When the client cancels a call, the script is stopped and the calls that it made are cancelled.
== a cancelled call
$ { echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"await tools.s.hang({})"}}}'; until grep -qs '"hang"' log; do sleep 0.02; done; echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'; until grep -qs 'notifications/cancelled' log; do sleep 0.02; done; } | codemode serve -q --mcp-server "s=$SERVER --log log"; echo $?
> 0

" A client that sends a progress token is told how many calls of the script have begun and ended, and gets a notification at least every two seconds.
" A client that sets a level for the log gets what scripts print and what servers log.
" Clients that listen are told when the description of the tool has changed, because a server came up late or has another list now; scripts that run keep the tools that they began with.
# The second: test/cli/serve.mjs.
== progress and log of a script
$ printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}' '{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}' '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"text(`a`); await tools.s.hang({})"},"_meta":{"progressToken":7}}}' >in; { cat in; until grep -qs '"message":"0 of 1 calls done"' out && [ "$(grep -c 'notifications/progress' out)" -ge 2 ]; do sleep 0.1; done; } | codemode serve -q --mcp-server "s=$SERVER" >out
$ grep -o '"progressToken":7,"progress":[0-9.]*' out | head -2; grep -c '"level":"info","logger":"script","data":"a"' out
> "progressToken":7,"progress":1
> "progressToken":7,"progress":1.001
> 1

" What scripts keep with store() is there for later scripts until the server ends; with --store it stays in a file.
== store in one, load in the next, and in the next session
$ load='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return load(`a`) ?? null"}}}'
$ mkfifo in; codemode serve -q <in >out & exec 3>in; echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"store(`a`, 5)"}}}' >&3; until grep -qs '"id":1' out; do sleep 0.02; done; echo "$load" >&3; exec 3>&-; wait; grep -o '"text":"[0-9a-z]*"' out; echo "$load" | codemode serve -q | grep -o '"text":"[0-9a-z]*"'
> "text":"5"
> "text":"null"

" It outlives serve; all clients share it, so it is not for --oauth-issuer. Whole results of answers that were cut are kept in FILE.results.
== store and a long value in one session, load in the next
$ call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"%s"}}}\n' "$1" "$2"; }
$ call 1 'store(`a`, 5); return `x`.repeat(50000)' | codemode serve -q --store s.json >/dev/null; ls
$ call 2 'return [load(`a`), codemode.result(1).length]' | codemode serve -q --store s.json | grep -o '"text":"[^"]*"'
> s.json
> s.json.results
> "text":"[5,50000]"
== with a login
$ codemode serve -q --http 127.0.0.1:0 --oauth-issuer https://login.example --store s.json
! codemode: --store: clients of several persons would share the file; it is not for --oauth-issuer
= 2

" The client is greeted at once; its list of tools waits until each server is up or has failed, and a script waits for the servers that it can name, at most as long as --startup-timeout says.
== a greeting while a server starts
$ mkfifo in; codemode serve -q --mcp-server "s=$SERVER --log log --slow 1000" <in >out & exec 3>in
$ echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' >&3; echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' >&3; until grep -qs '"id":1' out; do sleep 0.02; done; exec 3>&-; wait
$ grep -o '"id":[12]' out; grep -o 'tools.s: 9' out
> "id":1
> "id":2
> tools.s: 9

" The client is greeted at once; its list of tools waits until each server is up or has failed, and a script waits for the servers that it can name
== a script beside a server that does not come up
$ mkfifo in; codemode serve -q --mcp-server "s=$SERVER" --mcp-server "mute=$SERVER --slow 600000" <in >out 2>err & exec 3>in
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return await tools.s.echo({ up: 1 })"}}}' >&3; until grep -qs '"id":1' out; do sleep 0.02; done; exec 3>&-; wait
$ grep -o '"text":"{[^}]*' out
> "text":"{\"up\":1

" The list does not wait for servers that were up in an earlier serve: it has the tools that they had then, from files below codemode/tools in XDG_CACHE_HOME or ~/.cache. The client is told of a new list when a server has other tools now or does not come up.
" A script never begins with tools of such a file while their server may still come up in time.
" Where the folder codemode with the lists of tools is. The default is ~/.cache.
== a server that does not come up the second time until the list was told
$ mkfifo in; export XDG_CACHE_HOME="$PWD/c"; printf old >gate; list='{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
$ echo "$list" | codemode serve -q --mcp-server "s=$SERVER --wait $PWD/gate" | grep -o '// old'; ls c/codemode/tools | wc -l; rm gate
$ codemode serve -q --mcp-server "s=$SERVER --wait $PWD/gate" <in >out 2>err & exec 3>in
$ echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' >&3; echo "$list" >&3; until grep -qs '"id":1' out; do sleep 0.02; done; grep -o '// old' out
$ echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return codemode.describe(`s.echo`).description"}}}' >&3; printf new >gate; until grep -qs '"id":2' out && grep -qs list_changed out; do sleep 0.02; done; exec 3>&-; wait
$ grep -o 'text":"[^}]*' out
> // old
> 1
> // old
> text":"new"
== without the variable
$ unset XDG_CACHE_HOME; export HOME="$PWD"; echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode serve -q --mcp-server "s=$SERVER" >out; ls .cache/codemode/tools | wc -l
> 1

" A server that comes up later is used from then on.
== a server that is late, asked until it is there
$ mkfifo in; codemode serve -q --startup-timeout 1000 --mcp-server "s=$SERVER --slow 2000" <in >out 2>err & exec 3>in
$ n=1; until grep -qs 'late[^}]*:1}' out; do echo '{"jsonrpc":"2.0","id":'$n',"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return await tools.s.echo({ late: 1 })"}}}' >&3; until grep -qs "\"id\":$n," out; do sleep 0.02; done; n=$((n + 1)); sleep 0.2; done; exec 3>&-; wait
$ head -1 out | grep -o 'did not come up within 1000 ms'
> did not come up within 1000 ms

" One that ends by itself is started again by the next call of one of its tools; calls that were in flight fail with the reason, and are not made again.
== a call that kills its server, beside one that waits
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"const t = tools.s; const e = (p) => p.catch((e) => e.message); return [...await Promise.all([e(t.hold({})), e(t.die({}))]), await t.echo({ n: 1 })]"}}}' | codemode serve -q --mcp-server "s=$SERVER --last-words --log log --gate gate" 2>err | grep -o 'The server is gone: it exited with code 3\|n..:1'; grep -c most log
> The server is gone: it exited with code 3
> The server is gone: it exited with code 3
> n\":1
> 1

" Standard output has nothing but the protocol; messages for people go to standard error.
== a server that fails, and a line that is none
$ printf '%s\n' nonsense '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode serve --mcp-server "s=$SERVER --die broken" 2>err | cut -c 1-16; grep -q broken err && echo told
> {"jsonrpc":"2.0"
> {"jsonrpc":"2.0"
> told

" With --http it serves many clients at the path /mcp of an address, by streamable HTTP, instead of one on standard input and output; the URL is printed on standard error.
" A client that greets gets a session, and what its scripts keep with store() is there until the session ends: when the client ends it, or when it was not used for --http-idle.
" Clients of revision 2026-07-28, which has no sessions, share one store.
" Beyond --http-sessions a new session is refused with status 503.
" A request is refused with status 403 when its Host or Origin header has a name that is not this machine's (--http-name), with 401 without the token, if there is one, and with 413 when it is larger than 16 MiB.
" An answer that takes longer than a few seconds is a stream of events with comments in it, so that no proxy gives up.
" A client of revision 2026-07-28 that closes the stream of an answer cancels the call; a client of a session whose connection broke may come back for the rest of its stream (Last-Event-ID), up to two minutes after the answer.
" The bearer token of --http, if there is no --http-token-file.
# The rest of these is in test/cli/serve_http.mjs.
== a session, one too many, a name, a token
$ CODEMODE_HTTP_TOKEN=x codemode serve --http 127.0.0.1:0 --http-sessions 1 2>err & pid=$!; until grep -qs 'serving MCP at' err; do sleep 0.02; done; url=$(sed -n 's/.* at //p' err)
$ post() { node -e 'fetch(process.argv[1], { method: "POST", headers: { "content-type": "application/json", ...JSON.parse(process.argv[2]) }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } }) }).then((r) => console.log(r.status))' "$url" "$1"; }
$ post '{}'; post '{"authorization":"Bearer x"}'; post '{"authorization":"Bearer x"}'; post '{"authorization":"Bearer x","origin":"http://other"}'; kill $pid; wait $pid
> 401
> 200
> 503
> 403
= 4

" An address that other machines can reach is refused without a token (--http-token-file) or an issuer of tokens (--oauth-issuer), unless --http-open is given.
== an address for all
$ codemode serve --http 0.0.0.0:0
! codemode: --http 0.0.0.0:0: other machines can reach this address, so a token is needed: --http-token-file FILE, CODEMODE_HTTP_TOKEN, or --oauth-issuer URL; --http-open does without
= 2

" With --oauth-issuer each client bears a token of that authorization server, which its MCP client gets by a login.
" A request without one is answered with status 401 and the address of the metadata with which a login begins (/.well-known/oauth-protected-resource/mcp).
" A token is accepted when the issuer has signed it, or says that it is active, and when it is for this server and has not expired.
" A token without an --oauth-scope is refused with status 403.
" Clocks may differ by a minute, and a token that is revoked at the issuer is accepted for one more minute at most.
" A session belongs to the person or client to whom its first token was given; a request with a token of another one gets status 404.
" Tokens of clients are never given to the servers behind serve.
" The secret of --oauth-client, if there is no --oauth-secret-file.
# The rest of these is in test/oauth/serve_tokens.mjs and serve_login.mjs.
== a request without a token
$ codemode serve --http 127.0.0.1:0 --oauth-issuer http://127.0.0.1:1 --oauth-resource https://mcp.example/mcp 2>err & pid=$!; until grep -qs 'serving MCP at' err; do sleep 0.02; done; url=$(sed -n 's/.* at //p' err)
$ node -e 'fetch(process.argv[1], { method: "POST", body: "{}", headers: { "content-type": "application/json" } }).then((r) => console.log(r.status, r.headers.get("www-authenticate")))' "$url"; kill $pid; wait $pid
> 401 Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"
= 4

" They are stopped at once on SIGINT and SIGTERM, and when standard output has no reader any more.
== each of the three, with a script that never ends
$ call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"await tools.s.hang({})"}}}'
$ mkfifo in; for s in INT TERM; do codemode serve -q --mcp-server "s=$SERVER --log log.$s" <in >/dev/null 2>err & pid=$!; exec 3>in; echo "$call" >&3; until grep -qs '"hang"' log.$s; do sleep 0.02; done; kill -$s $pid; wait $pid; echo $?; exec 3>&-; done
$ mkfifo out; codemode serve -q --mcp-server "s=$SERVER --log log" <in >out & pid=$!; exec 3>in 4<out; echo "$call" >&3; until grep -qs '"hang"' log; do sleep 0.02; done; exec 4<&-; wait $pid; echo $?
> 4
> 4
> 0

" 0 when the client ended the conversation, 2 wrong usage or a file that cannot be used, 4 stopped by a signal, 5 the sandbox cannot be set up, 6 no server of the configuration can be started.
== the other exit codes
$ code() { codemode serve -q "$@" </dev/null >/dev/null 2>&1; echo $?; }
$ code; code --bogus; code --mcp no.json; code --mcp-server "s=no-such-program-here"
$ mkdir bin; cp "$(command -v codemode)" bin; bin/codemode serve -q </dev/null >/dev/null 2>&1; echo $?
> 0
> 2
> 2
> 6
> 5

" A call may ask for less, with timeoutMs.
== more is refused
$ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode","arguments":{"code":"1","timeoutMs":2000}}}' | codemode serve -q --timeout 1000 | grep -o 'from 1 to 1000'
> from 1 to 1000
