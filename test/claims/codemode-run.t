# What codemode-run(1) says, tried.

" Runs the script in FILE, on standard input, or in CODE.
== three ways to give a script
$ echo 'return 1' >f.js; codemode run -q f.js; echo 'return 2' | codemode run -q; echo 'return 3' | codemode run -q -; codemode run -q -e 'return 4'
> 1
> 2
> 3
> 4

" it may use await and return anywhere
== await in a loop, return in a block
$ codemode run -q -e 'for (const n of [1, 2]) { await null; if (n === 2) { return n } }'
> 2

" The tools of the server files are tools.files.NAME(arguments).
== a server's tools
$ codemode run -q --mcp-server "files=$SERVER" -e 'return await tools.files.echo({ a: 1 })'
> {"a":1}

" Of the servers, only those that the script can name are started
== twenty servers, of which the script names one
$ for n in $(seq 20); do echo "\"s$n\": { \"command\": \"sh\", \"args\": [\"-c\", \"echo $n >>started; exec $SERVER\"] }"; done | paste -sd, | sed 's/.*/{"mcpServers":{&}}/' >mcp.json
$ codemode run -q --mcp mcp.json -e 'return await tools.s7.echo({})'; cat started; codemode run -q --mcp mcp.json -e 'return 1'; cat started
> {}
> 7
> 1
> 7

" side by side
== two servers, each of which waits for the other to be there
$ cat >peer.sh <<'END'
$ touch "here.$1"; until [ -e "here.$2" ]; do sleep 0.02; done; exec "$SERVER"
$ END
$ echo "{\"mcpServers\":{\"a\":{\"command\":\"sh\",\"args\":[\"peer.sh\",\"a\",\"b\"],\"env\":{\"SERVER\":\"$SERVER\"}},\"b\":{\"command\":\"sh\",\"args\":[\"peer.sh\",\"b\",\"a\"],\"env\":{\"SERVER\":\"$SERVER\"}}}}" >mcp.json
$ codemode run -q --mcp mcp.json -e 'return Object.keys(tools)'
> ["a","b"]

" The script begins when each of them is up or has failed.
== a slow server that is named, and one that is not
$ codemode run -q --mcp-server "a=$SERVER --slow 500" -e 'return await tools.a.echo({})'
$ codemode run -q --mcp-server "a=$SERVER --slow 600000" --mcp-server "b=$SERVER" -e 'return await tools.b.echo({})'
> {}
> {}

" Why a server failed is printed on standard error, with the end of what it wrote there.
== a server that fails
$ codemode run -q --mcp-server "a=$SERVER --die broken" --mcp-server "b=$SERVER" -e 'tools.b; try { tools.a } catch {} return 1'
> 1
! codemode: server a (--mcp-server): it *
! its stderr ends with: broken
!...

" A server that ends before the script does is started again by the next call of one of its tools.
== a call that kills its server
$ codemode run -q --mcp-server "a=$SERVER --last-words" -e 'const why = await tools.a.die({}).catch((e) => e.message); return [why, await tools.a.echo({ n: 1 })]'
~ *The server is gone: it exited with code 3*{"n":1}\]
!...

" Standard output gets the texts that the script prints with text(), in order and as they come, and then the value that it returns, as JSON.
== texts come before the script ends, the value behind them
$ codemode run -q --mcp-server "a=$SERVER --log log --gate gate" -e 'text("one"); text("two"); await tools.a.hold({}); return "v"' >out & until grep -qs most log; do sleep 0.02; done; cat out; touch gate; wait; tail -1 out
> one
> two
> "v"

" Everything for people goes to standard error: console, one line for each image, audio and resource, warnings, errors with the line of the script, progress on a terminal, and at the end a summary.
== console, image, warning, error, summary
$ codemode run -e 'console.log("log"); image({ type: "image", data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", mimeType: "image/png" }); Promise.reject(new Error("lost"));
$ throw new Error("bad")' 2>err; cut -c 1-26 err | sed 's/, [0-9]* ms.*//'
> log
> [image image/png, 70 bytes
> codemode: warning: line 1:
~ codemode: line 2, column *
~ 2 | throw new Error(*
~ *^*
> codemode: no calls
= 0

" With --json standard output gets one JSON object and nothing else, whatever happens.
" When no script ran, ok is false and error has the kind "command", a code ("Usage", "Aborted", "Sandbox" or "NoServer") and as its message the lines that were printed on standard error.
== one object
$ codemode run -q --json -e 'text("a"); throw 1' 2>err | cut -c 1-12; codemode run -q --json no.js 2>err; codemode run -q --json --mcp-server "s=$SERVER --die x" -e 'tools.s' 2>err | grep -o '"kind":.*NoServer"'
> {"ok":false,
> {"ok":false,"error":{"kind":"command","code":"Usage","message":"no.js: the script cannot be read: No such file or directory"}}
> "kind":"command","code":"NoServer"

" when the store could not be written, the member storeError says why
== the store turns into a folder while the script runs
$ codemode run -q --json --store s.json --mcp-server "s=$SERVER --log log --gate gate" -e 'await tools.s.hold({}); store("a", 1)' >out 2>err & until grep -qs most log; do sleep 0.02; done
$ mkdir s.json; touch gate; wait $!; echo $?; grep -o '"storeError".*' out
> 7
> "storeError":"it is not a regular file"}

" What --data gives stands in the script as the global data.
" It is JSON, or a file that holds some, or - for standard input.
== data of all kinds
$ echo '[2]' >d.json; codemode run -q --data '{"a":1}' -e 'return data.a'; codemode run -q --data d.json -e 'return data'; codemode run -q --data - -e 'return data' <d.json
> 1
> [2]
> [2]

" Without it there is no such global, and a script's own data comes first.
== none, and another
$ codemode run -q -e 'return typeof data'; codemode run -q --data 1 -e 'const data = 2; return data'
> "undefined"
> 2

" Words NAME=VALUE behind the script are an object of data, too: a value that is JSON is that JSON, every other one is a text.
" So a file that begins with #!/usr/bin/env -S codemode run is a program with arguments.
== words of data, and a script that is a program
$ printf '#!/usr/bin/env -S codemode run -q\nreturn data' >p.js; chmod +x p.js; ./p.js repo=a/b n=5 zip=01 list='[1,true]' 'eq=a=b' empty= q='"5"'
> {"repo":"a/b","n":5,"zip":"01","list":[1,true],"eq":"a=b","empty":"","q":"5"}
$ codemode run -q -e 'return data.n + 1' n=1; echo 'return data.n' | codemode run -q - n=2; codemode run -q -e 'return 1' n=1 n=2; codemode run -q --data 1 -e 'return 1' n=1; codemode run -q -e 'return 1' =1
> 2
> 2
! codemode: run: n=2: that name is there twice, or is not UTF-8
! codemode: run: n=1 and --data: only one of them can be the data
! codemode: run: one script at a time, please: "=1" is one too many
= 2

" The file of --store must be a regular file, or not exist.
" A file that cannot be written is refused before a server is started.
== a folder
$ mkdir d; codemode run -q --store d --mcp-server "s=$SERVER --log log" -e 'tools.s; text("ran")'; echo $?; ls
> 2
> d
! codemode: d: the store cannot be written: it is not a regular file

" Symbolic links are followed.
" It may begin with a byte order mark.
== a link to a file with a mark
$ printf '\357\273\277{"a":1}' >real; ln -s real link; codemode run -q --store link -e 'store("b", 2); return load("a")'; test -L link && grep -c '"b"' real
> 1
> 1

" two runs side by side keep the keys of both
" its changes are merged into what the file holds by then
== two runs
$ for k in a b; do codemode run -q --store s.json --mcp-server "s=$SERVER --log log.$k --gate gate" -e "await tools.s.hold({}); store('$k', 1)" & done
$ until grep -qs most log.a && grep -qs most log.b; do sleep 0.02; done; touch gate; wait; codemode run -q --store s.json -e 'return [load("a"), load("b")]'
> [1,1]

" A merge that would make the store larger than scripts may make it is refused, and the file stays as it is.
== two runs that fill it
$ for k in a b; do codemode run -q --store s.json --mcp-server "s=$SERVER --log log.$k --gate gate" -e "await tools.s.hold({}); for (let i = 0; i < 3; i++) store('$k' + i, 'x'.repeat(262000))" 2>>err & done
$ until grep -qs most log.a && grep -qs most log.b; do sleep 0.02; done; touch gate; wait; grep -c 'would hold more' err; codemode run -q --store s.json -e 'return ["a2", "b2"].filter(k => load(k)).length'
> 1
> 1

" Without changes the file is not touched.
" a file that does not exist is an empty one
== no file, no change
$ codemode run -q --store s.json -e 'return load("a") ?? null'; ls
> null

" 0 the script returned, 1 it failed, 2 wrong usage or a file that cannot be used, 3 out of time, 4 stopped by a signal, 5 the sandbox broke or cannot be set up, 6 no server came up, 7 standard output, the store or the record could not be written
== each exit code
$ code() { codemode run -q "$@" >/dev/null 2>&1; echo $?; }
$ code -e 'return 1'; code -e 'throw 1'; code no.js; code --timeout 100 -e 'for (;;);'
$ codemode run -q --mcp-server "s=$SERVER --log log" -e 'await tools.s.hang({})' 2>/dev/null & until grep -qs '"hang"' log; do sleep 0.02; done; kill -TERM $!; wait $!; echo $?
$ mkdir bin; cp "$(command -v codemode)" bin; bin/codemode run -q -e 'return 1' 2>/dev/null; echo $?
$ code --mcp-server "s=$SERVER --die x" -e 'tools.s'; codemode run -q -e 'return 1' >/dev/full 2>/dev/null; echo $?
> 0
> 1
> 2
> 3
> 4
> 5
> 6
> 7

" May be given many times; a server in a later file replaces the one of the same name.
== two files
$ echo '{"mcpServers":{"a":{"command":"no-such-program"}}}' >1.json; echo "{\"mcpServers\":{\"a\":{\"command\":\"$SERVER\"}}}" >2.json; codemode run -q --mcp 1.json --mcp 2.json -e 'return await tools.a.echo({})' 2>/dev/null
> {}

" The command goes on with the servers that are up by then.
== --startup-timeout
$ codemode run -q --startup-timeout 3000 --mcp-server "a=$SERVER --slow 600000" --mcp-server "b=$SERVER" -e 'return Object.keys(tools)' 2>/dev/null
> ["b"]

" No progress and no summary on stderr.
== --quiet
$ codemode run -q -e 'return 1' 2>&1
> 1

" process, the default: each in a process of its own, behind every fence that this machine has. inline: in this process, behind the wall of its own memory. cmd:COMMAND: at the other end of the command's standard input and output
== --place
$ worker=$(dirname "$(readlink -f "$(command -v codemode)")")/codemode-worker
$ for p in process inline "cmd:'$worker' --stdio"; do codemode run -q --json --place "$p" -e 'return 1' | grep '"ok":true' | grep -o '"place":"[a-z]*"'; done
> "place":"process"
> "place":"inline"
> "place":"stream"

" auto, the default, is quickjs: QuickJS behind a wall of its own memory. evaluator: our own engine, which is not yet known to agree with it in everything
== --engine
$ for e in quickjs evaluator auto; do codemode run -q --json --engine "$e" -e 'return 1' | grep '"ok":true' | grep -o '"engine":"[a-z]*"'; done
> "engine":"quickjs"
> "engine":"evaluator"
> "engine":"quickjs"

" Without it Markdown fences, types, export default, a lone function and a last expression are understood.
== with and without --raw
$ printf '```js\n1 + 1\n```\n' | codemode run -q; printf 'const a: number = 1; return a' | codemode run -q; printf 'export default async () => 2' | codemode run -q; printf '1 + 1' | codemode run -q --raw
> 2
> 1
> 2

" Time for the script (300000).
" Tool calls in all (10000).
" Tool calls at a time (16).
== limits that are asked for
$ codemode run -q --timeout 100 -e 'for (;;);' 2>&1 | head -1; codemode run -q --max-calls 1 --mcp-server "s=$SERVER" -e 'await tools.s.echo({}); await tools.s.echo({})' 2>&1 | head -1
$ codemode run -q --concurrency 2 --mcp-server "s=$SERVER --log log --gate gate" -e 'await Promise.all([1, 2, 3, 4].map(() => tools.s.hold({}))); return' & until grep -qs 'most 2' log; do sleep 0.02; done; touch gate; wait; grep -c 'most 3' log
~ codemode: *100 ms*
~ codemode: *limit is 1*
> 0
= 1

" codemode replay makes the run again from it. The script's clock then stands still while it computes, its time zone is UTC, and it has neither WeakRef nor FinalizationRegistry.
" The file holds the script, the store, the data, the tools, and all that they answered.
== --record
$ echo '{"n":1}' >s.json; codemode run -q --record r --store s.json --data '[2]' --mcp-server "s=$SERVER" -e 'const t = Date.now(); for (let i = 0; i < 1e6; i++); return [Date.now() - t, new Date().getTimezoneOffset(), typeof WeakRef, typeof FinalizationRegistry, await tools.s.echo({ a: 3 })]'; codemode replay -q r; for w in 'for (let i = 0' '"store":"{..n..:1}' '"data":"\[2\]"' '"tools":.*"name":"echo"' '"answer":1,"value":{"a":3}'; do grep -c -e "$w" r; done
> [0,0,"undefined","undefined",{"a":3}]
> [0,0,"undefined","undefined",{"a":3}]
> 1
> 1
> 1
> 1
> 1
