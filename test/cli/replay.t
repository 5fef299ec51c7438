# Runs that are recorded and made again.

== in the other place
$ for from in process inline; do for to in inline process; do codemode run -q --record r --place $from --mcp-server "s=$SERVER" -e 'const t = Date.now(); const all = await Promise.all([tools.s.echo({ a: Math.random() }), tools.s.echo({ b: crypto.randomUUID() })]); await codemode.sleep(20); console.log(Date.now() - t); return [all, Date.now(), new Date().getTimezoneOffset()]' >one 2>err.one; TZ=Asia/Tokyo codemode replay -q --place $to r >two 2>err.two; echo $?; cmp one two; cmp err.one err.two; done; done
> 0
> 0
> 0
> 0

== an image with all that its block has, in the other place
$ for p in process inline; do codemode run --json -q --record r --place $p -e 'image({ type: "image", data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", annotations: { priority: 1 }, _meta: { a: 1 } })' | grep -o '"output":[^]]*]'; grep -c '"extra":{"annotations":{"priority":1},"_meta":{"a":1}}' r; done; codemode replay -q --place process r 2>&1; echo $?
> "output":[{"type":"image","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7","mimeType":"image/gif","annotations":{"priority":1},"_meta":{"a":1}}]
> 1
> "output":[{"type":"image","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7","mimeType":"image/gif","annotations":{"priority":1},"_meta":{"a":1}}]
> 1
> [image image/gif, 42 bytes]
> 0

== what a recorded script does not have
$ codemode run -q --record r -e 'const t = Date.now(); for (let i = 0; i < 1e6; i++); return [typeof WeakRef, typeof FinalizationRegistry, Intl.DateTimeFormat().resolvedOptions().timeZone, Date.now() - t, performance.now()]'; codemode run -q -e 'return [typeof WeakRef, typeof FinalizationRegistry]'
> ["undefined","undefined","UTC",0,0]
> ["function","function"]

== the file is for its owner alone
$ umask 022; rm -f r; codemode run -q --record r -e 'return 1'; stat -c %a r
> 1
> 600

== a summary
$ codemode run -q --record r --mcp-server "s=$SERVER" -e 'return await tools.s.echo({})'; codemode replay r 2>&1
> {}
> {}
> codemode: the same run: 1 call, 1 answer

== a script that fails is the same when it fails again
$ codemode run -q --record r -e 'text("a")
$ throw new Error("b")' 2>err; echo $?; codemode replay -q r 2>err2; echo $?; cmp err err2
> a
> 1
> a
> 0

== failures of tools, calls that time out and lose
$ codemode run -q --record r --mcp-server "s=$SERVER" -e 'const f = e => e.name + e.message; return [await tools.s.hang({}, { timeoutMs: 30 }).catch(f), await tools.s.fail({}).catch(f), await codemode.race([tools.s.hang({}), tools.s.echo({ a: 1 })])]' >one; for p in inline process; do codemode replay -q --place $p r | cmp - one; done; cut -c 1-30 one
> ["TimeoutErrorthe call timed o

== the record cannot be written
$ codemode run -q --record no/r -e 'return 1'; codemode run -q --record /dev/full -e 'return 1'
> 1
! codemode: run: --record no/r: No such file or directory
! codemode: --record /dev/full cannot be written: No space left on device
= 7

== stopped by a signal, the record has it
$ codemode run -q --record r --mcp-server "s=$SERVER --log log" -e 'text("a"); await tools.s.hang({})' >out 2>err & until grep -qs hang log; do sleep 0.02; done; kill -INT $!; wait $!; echo $?; codemode replay -q r 2>err; echo $?
> 4
> a
> 0

== stopped by a signal while it computed, it does not compute for ever
$ rm -f out; codemode run -q --record r --place process --timeout 60000 -e 'text("a"); for (;;);' >out 2>err & until grep -qs a out; do sleep 0.02; done; kill -INT $!; wait $!; echo $?; for p in process inline; do timeout 30 codemode replay --place $p r 2>&1; echo $?; done
> 4
> a
> codemode: Execution aborted
> codemode: the same run: 0 calls, 0 answers
> 0
> a
> codemode: Execution aborted
> codemode: the same run: 0 calls, 0 answers
> 0

== no file, two files, a wrong option
$ codemode replay; codemode replay a b; codemode replay --dif r
! codemode: replay: name one file that codemode run --record wrote
! codemode: replay: name one file that codemode run --record wrote
! codemode: there is no option --dif; did you mean --diff?
! codemode: try: codemode replay --help
= 2
