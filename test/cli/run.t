# A run: what goes where, and what it exits with.

== value, texts, console
$ codemode run -q -e 'text("one"); console.log("two"); text("three"); return { a: [1, "x"] }'
> one
> three
> {"a":[1,"x"]}
! two

== no value
$ codemode run -q -e 'text("only")'; codemode run -q -e 'return undefined'; codemode run -q -e 'return null'; codemode run -q -e 'return "text"'
> only
> null
> "text"

== script from a file, from stdin, with - and without
$ echo 'return 1' >a.js; codemode run -q a.js; codemode run -q - <a.js; codemode run -q <a.js; codemode run -q -- a.js
> 1
> 1
> 1
> 1

== an options line cannot ask for more time than --timeout gives
$ printf '// @options: {"timeout_ms": 100000}\nfor (;;);' >s.js; codemode run -q --timeout 50 s.js
! codemode: *Execution timed out after 50 ms
= 3

== audio and resources are lines on stderr
$ codemode run -q -e 'audio({ type: "audio", data: "AAAA", mimeType: "audio/pcm" }); resource("x://y"); file("a.txt", "text/plain", "é"); file("b", undefined, new Uint8Array(5))'
! \[audio audio/pcm, 3 bytes\]
! \[resource x://y\]
! \[resource file:///a.txt, 2 bytes\]
! \[resource file:///b, 5 bytes\]

== an image is a line on stderr
$ codemode run -q -e 'image({ type: "image", data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", mimeType: "image/png" })'
! \[image image/png, 70 bytes\]

== an error: place, excerpt, caret
$ codemode run -q -e 'const a = 1
$ null.x
$ return a'
! codemode: line 2, column *: TypeError: *
! *null.x*
! *^*
= 1

== an error with fields, frames, causes
$ codemode run -q -e 'const inner = Object.assign(new TypeError("inner"), { code: "E1" });
$ function pay() { throw Object.assign(new Error("failed", { cause: inner }), { status: 402 }); }
$ pay();'
! codemode: line 2, column *: Error: failed
! 2 | function pay() *
! *^
!   called at <anonymous> (codemode.js:3:1)
!   with {"status":402}
! caused by TypeError: inner
!   with {"code":"E1"}
= 1

== the errors of an AggregateError
$ codemode run -q -e 'await Promise.any([1, 2].map(async (n) => { throw new Error("mirror " + n) }))'
! codemode: line 1, column *: AggregateError: 2 errors
! 1 | *
! *^
!   1. Error: mirror 1
!   2. Error: mirror 2
= 1

== a syntax error
$ codemode run -q -e 'return 1 +'
! codemode: line *, column *: SyntaxError: *
!...
= 1

== texts before an error are kept
$ codemode run -q -e 'text("kept"); throw new Error("late")'
> kept
! codemode: *Error: late
!...
= 1

== a run out of time
$ codemode run -q --timeout 100 -e 'while (true) {}'
! codemode: *timed out after 100 ms*
!...
= 3

== bad sources
$ : >empty.js; codemode run -q empty.js; echo $?; printf 'return 1\0' >nul.js; codemode run -q nul.js; echo $?; printf 'return "\377"' >utf.js; codemode run -q utf.js; echo $?; head -c 1100000 /dev/zero | tr '\0' ' ' >big.js; codemode run -q big.js; echo $?
> 1
> 1
> 1
> 1
! codemode: *empty*
!...

== json: exactly one object
$ codemode run --json -e 'text("a"); console.log("b"); return 1' 2>/dev/null | head -c 12; echo; codemode run --json -e 'throw 1' 2>/dev/null | wc -l
> {"ok":true,"
> 1

== json: the exit code is the same, people's words stay on stderr
$ codemode run --json -e 'throw new Error("x")' >/dev/null
! codemode: no calls, *
= 1

== json: one object also when no script ran
$ export CODEMODE_DEPTH=; echo '[' >bad.json
$ for o in '--bogus -e 1' 'no.js' '--mcp bad.json -e 1' '--store bad.json -e 1' '--place inline --require-fences -e 1' '-e 1 -e 2' '--timeout x -e 1'; do codemode run -q --json $o 2>err; echo " $?"; done
$ codemode run -q --json --mcp-server "s=$SERVER --die nope" -e 'tools.s' 2>err; echo " $?"
$ mkdir bin; cp "$(command -v codemode)" bin; bin/codemode run -q --json -e 'return 1' 2>err | sed 's/bin.*codemode-worker/W/; s/message":"[^"]*W/message":"W/'
~ {"ok":false,"error":{"kind":"command","code":"Usage","message":"there is no option --bogus*"}}
>  2
> {"ok":false,"error":{"kind":"command","code":"Usage","message":"no.js: the script cannot be read: No such file or directory"}}
>  2
~ {"ok":false,"error":{"kind":"command","code":"Usage","message":"bad.json:2:1: not JSON: *"}}
>  2
~ {"ok":false,"error":{"kind":"command","code":"Usage","message":"bad.json:2:1: the store is not JSON: *"}}
>  2
~ {"ok":false,"error":{"kind":"command","code":"Usage","message":"run: --require-fences *"}}
>  2
> {"ok":false,"error":{"kind":"command","code":"Usage","message":"run: --eval is given twice"}}
>  2
~ {"ok":false,"error":{"kind":"command","code":"Usage","message":"run: --timeout x: must be *"}}
>  2
~ {"ok":false,"error":{"kind":"command","code":"NoServer","message":"server s *nope*\nno server came up"}}
>  6
~ {"ok":false,"error":{"kind":"command","code":"Sandbox","message":"*W cannot be started: *"}}

== json: a store that cannot be written any more is told in the result
$ printf '{}' >s.json; codemode run -q --json --store s.json --mcp-server "s=$SERVER --log log --gate gate" -e 'await tools.s.hold({}); store("a", 1); return 1' >out & until grep -qs most log; do sleep 0.02; done
$ rm s.json; mkdir s.json; touch gate; wait $!; echo $?; sed 's/.*"storeError"/"storeError"/' out; wc -l <out
> 7
> "storeError":"it is not a regular file"}
> 1
! codemode: s.json: the store cannot be written: it is not a regular file

== summary
$ codemode run --mcp-server "s=$SERVER" -e 'const t = await tools.s.big({ bytes: 100000 }); await tools.s.echo({}); return t.length'
> 100000
! codemode: 2 calls, *; 100.* kB received from tools, 100.* kB of it stayed out of the output

== a tool's error is the script's
$ codemode run -q --mcp-server "s=$SERVER" -e 'await tools.s.fail({ text: "disk full" })'
! codemode: line 1, column *Error: disk full (tools.s.fail)
!...
= 1

== unknown tool
$ codemode run -q --mcp-server "s=$SERVER" -e 'await tools.s.ekho({})'
! codemode: *tools.s.ekho*tools.s.echo*
!...
= 1

== servers that did not come up are named
$ codemode run -q --mcp-server "s=$SERVER" --mcp-server "bad=$SERVER --die 'no licence'" -e 'tools.s; return await tools.bad.echo({})'
! codemode: server bad (--mcp-server): *
! *no licence*
!...
= 1

== of a long stderr the line that names the cause is told
$ cat >stack.sh <<'END'
$ echo "Error: no route to the registry" >&2; for i in $(seq 900); do echo "    at frame $i of a long stack (module:$i:1)" >&2; done; echo "Node.js v22.1.0" >&2; exit 1
$ END
$ codemode run -q --json --mcp-server "bad=sh stack.sh" --mcp-server "s=$SERVER" -e 'return Object.keys(tools)' 2>err | grep -o '"warnings":.*on stderr: [^)]*' | grep -o 'it exited.*'
> it exited with code 1 (on stderr: Error: no route to the registry

== none came up
$ codemode run -q --mcp-server "bad=$SERVER --die 'no licence'" -e 'return await tools.bad.echo({})'
! codemode: server bad (--mcp-server): *
! *no licence*
! codemode: no server came up
= 6

== a script does not wait for a slow server that it cannot name
$ codemode run -q --mcp-server "slow=$SERVER --slow 600000" --mcp-server "s=$SERVER" -e 'return await tools.s.echo({ a: 1 })'
> {"a":1}

== --startup-timeout
$ codemode run -q --startup-timeout 3000 --mcp-server "slow=$SERVER --slow 600000" --mcp-server "s=$SERVER" -e 'return Object.keys(tools)'
> ["s"]
! codemode: server slow (--mcp-server): *3000*

== --max-calls
$ codemode run -q --max-calls 2 --mcp-server "s=$SERVER" -e 'for (let i = 0; i < 3; i++) await tools.s.echo({})'
! codemode: *2*
!...
= 1

== --concurrency
$ codemode run -q --concurrency 1 --mcp-server "s=$SERVER --log log" -e 'await Promise.all([1, 2, 3].map(n => tools.s.echo({ n }))); return'
$ grep -c tools/call log
> 3

== --memory
$ codemode run -q --memory 8M -e 'const a = []; try { for (;;) a.push("x".repeat(100000) + a.length) } catch (e) { return "caught" }'
> "caught"

== stdout that cannot be written
$ codemode run -q -e 'return 1' >/dev/full
! codemode: stdout cannot be written: No space left on device
= 7

== stdout that loses its reader: one message, and the script stops
$ (codemode run -q --mcp-server "s=$SERVER --log log" -e 'for (let i = 0; i < 100; i++) { text("x".repeat(100000)); await tools.s.echo({}) }'; echo $? >code) | head -c 1
$ cat code; [ "$(grep -c tools/call log)" -lt 100 ] && echo stopped
> x7
> stopped
! codemode: stdout cannot be written: Broken pipe

== a server that is not there: the message says which are
$ codemode run -q --mcp-server "files=$SERVER --slow 300" -e 'await tools.filez.echo({})'
! codemode: line 1, column *: TypeError: *tools.filez*files*
!...
= 1

== arguments that are no object
$ codemode run -q --mcp-server "s=$SERVER" -e 'await tools.s.echo(5)'
! codemode: line 1, column *object*tools.s.echo(*
!...
= 1

== arguments that cannot be JSON
$ for a in 'a' '{ a: Promise.resolve(1) }'; do codemode run -q --mcp-server "s=$SERVER" -e "const a = {}; a.a = a; await tools.s.echo($a)" 2>&1 | head -1; done
~ codemode: line 1, column *: TypeError: *refers back*
~ codemode: line 1, column *: TypeError: *is a promise: await it

== limits of what comes out
$ codemode run -q -e 'return "x".repeat(20000000)' 2>&1 | head -1; codemode run -q -e 'text("x".repeat(20000000))' 2>&1 | head -1
~ codemode: *value*the limit is 16777216*
~ codemode: *printed*the limit is 16777216*

== a result over its limit, and one that is not UTF-8
$ codemode run -q --mcp-server "s=$SERVER" -e 'await tools.s.big({ bytes: 68000000 })' 2>&1 | head -1; codemode run -q --mcp-server "s=$SERVER" --timeout 20000 -e 'await tools.s.bad({})' 2>&1 | head -1
~ codemode: line 1, column *limit*67108864*
~ *UTF-8*

== json: servers that are not there are warnings of the result
$ codemode run -q --json --mcp-server "s=$SERVER" --mcp-server "bad=$SERVER --die 'no licence'" -e 'tools' 2>/dev/null | grep -o '"warnings":\[[^]]*no licence'
~ "warnings":\[*server bad (--mcp-server): *no licence

== a script as models write it: fenced, typed, its last expression the value
$ printf 'Here it is:\n\n```ts\nconst xs: number[] = [1, 2];\nxs.map((x): number => x * 2)\n```\n' | codemode run -q -
> [2,4]

== --raw takes it as it stands
$ printf '1 + 1' | codemode run -q --raw -

== data beside the code: JSON, a file, standard input
$ echo '{ "a": [1, "`${x}`"] }' >d.json; codemode run -q --data '[7]' -e 'return data[0]'; codemode run -q --data d.json -e 'return data.a'; codemode run -q --data - -e 'return data' <d.json; codemode run -q -e 'return typeof data'
> 7
> [1,"`${x}`"]
> {"a":[1,"`${x}`"]}
> "undefined"

== data that is no JSON
$ echo '{' >d.json; codemode run -q --data d.json -e 'return data'
! codemode: run: --data: d.json is not JSON: byte 2: *
= 2

== calls that nothing waits for are told like an error, and counted
$ codemode run --mcp-server "s=$SERVER" -e 'async function main() {
$   await tools.s.echo({ n: 1 });
$ }
$ main();
$ return "started"' 2>&1 | grep -v connected
> "started"
> codemode: warning: line 4: 1 call of tools.s.echo never began: nothing waits for main(): write await in front of it
> 4 | main();
~ codemode: 0 calls, 1 never began, *

== main as the last statement is awaited, and said to be
$ codemode run -q --mcp-server "s=$SERVER" -e 'async function main() {
$   return await tools.s.echo({ n: 1 });
$ }
$ main();'
> {"n":1}
! codemode: note: line 4: main() stands last, so it is awaited and gives the value of the script: write return await main()

== a last assignment
$ codemode run -q -e 'const r = 1 + 1'
! codemode: warning: line 1: nothing was returned: add return r

== output is cut to a limit, and stays JSON
$ codemode run -q --max-output-tokens 40 -e 'text("x".repeat(100)); return { a: "y".repeat(300), n: [1, 2], rows: Array.from({ length: 100 }, (_, i) => ({ i })) }'
> xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
> {"a":"yyyyyyyyyyyyyyyyyyyyyyyyy","n":[1,2],"rows":[{"i":0},{"i":1},{"i":2}]}
! codemode: 20 bytes of printed text left out (20 of 100 bytes): the limit is 40 tokens
! codemode: 1* bytes of the value left out (a: 275 of 300 bytes; rows: 97 of 100 items): the limit is 40 tokens

== a script asks for less, not for more
$ printf '// @options: {"max_output_tokens": 4}\nreturn "0123456789abcdef"' >s.js
$ codemode run -q s.js; codemode run -q --max-output-tokens 2 s.js
> "0123456789abcd"
> "012345"
! codemode: 2 bytes of the value left out (2 of 16 bytes): the limit is 4 tokens
! codemode: 10 bytes of the value left out (10 of 16 bytes): the limit is 2 tokens

== printed JSON stays JSON, too, and media stay whole
$ codemode run -q --max-output-tokens 20 -e 'text({ rows: Array.from({ length: 50 }, (_, i) => i), id: 5 }); text("more"); return 1'
$ codemode run --json --max-output-tokens 20 -e 'text({ rows: Array.from({ length: 50 }, (_, i) => i), id: 5 }); image("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"); console.log("more"); return [1, 2]' | sed 's/,"calls".*,"cut"/ ... "cut"/'
> {"rows":[0,1,2,3,4,5,6,7,8,9,10],"id":5}
> 1
> {"ok":true,"value":[1,2],"output":[{"type":"text","text":"{\"rows\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21],\"id\":5}"},{"type":"image","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7","mimeType":"image/gif"}] ... "cut":"output[0]: rows: 28 of 50 items; output[2]: 4 of 4 bytes"}
! codemode: 121 bytes of printed text left out (rows: 39 of 50 items): the limit is 20 tokens
! codemode: no calls, *

== the whole result, too
$ codemode run --json --max-output-tokens 20 -e 'return { a: "y".repeat(100) }' | sed 's/,"calls".*,"cut"/ ... "cut"/'
> {"ok":true,"value":{"a":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"},"output":[] ... "cut":"value.a: 28 of 100 bytes"}
! codemode: no calls, *

== the log has each decision, and why
$ for o in '--allow s.echo' '--ask s.* --yes' '--ask s.*' '--dry-run'; do codemode run -q --mcp-server "s=$SERVER" --log l $o -e 'await tools.s.echo({}).catch(() => {})' >/dev/null; done; grep -o '"decision":.*"why":"[^"]*"' l
> "decision":"allowed","why":"--allow s.echo"
> "decision":"allowed","why":"--yes"
> "decision":"asked","why":"--ask s.*"
> "decision":"allowed","why":"it says that it only reads"
