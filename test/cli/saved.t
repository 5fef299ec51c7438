# Saved scripts: files of a folder that other scripts call as tools.

== a folder of scripts is a namespace
$ mkdir s; printf '/**\n * Adds numbers.\n * @param {number[]} numbers what to add\n * @param {number} [start=100]\n * @returns {number}\n */\nconsole.log("not seen");\nreturn data.numbers.reduce((a, b) => a + b, data.start);\n' >s/add.js; printf '/** Says what it is told. */\nconst { t }: { t: string } = { t: String(data.text) };\nreturn (await tools.s.echo({ text: t })).text + "!";' >s/loud-echo.ts; echo 'throw new TypeError("never")' >s/fails.js; echo note >s/README.md
$ codemode tools --mcp none --scripts s; codemode run -q --mcp-server "s=$SERVER" --scripts s -e 'const { scripts } = tools; return [await scripts.add({ numbers: [1, 2] }), await scripts.add({ numbers: [1], start: 0 }), await scripts.loud_echo({ text: 5 }), codemode.describe("scripts.add").signature]'
> scripts: 3 tools
>   tools.scripts.add(args: { numbers: number[]; start?: number; }): Promise<number>
>       Adds numbers.
>   tools.scripts.fails(args?: { [key: string]: unknown; }): Promise<unknown>
>   tools.scripts.loud_echo(args?: { [key: string]: unknown; }): Promise<unknown>
>       Says what it is told.
> [103,1,"5!","tools.scripts.add(args: { numbers: number[]; start?: number; }): Promise<number>"]

== what fails inside is an error of the call, and arguments are checked
$ mkdir s; echo 'throw new TypeError("never")' >s/fails.js; printf '/** @param {string} who */\nreturn `hello ${data.who}`' >s/greet.js
$ codemode run -q --mcp none --scripts s -e 'for (const f of [() => tools.scripts.fails(), () => tools.scripts.greet({}), () => tools.scripts.great({})]) try { await f() } catch (e) { text(e.message) }'
> never
~ tools.scripts.greet was not called: who is missing*
~ *Did you mean tools.scripts.greet*

== a saved script that calls itself comes to an end
$ mkdir s; echo 'return await tools.scripts.again({})' >s/again.js
$ codemode run -q --mcp none --scripts s -e 'await tools.scripts.again({})'
! codemode: line 1, column 21: Error: saved scripts call each other more than 8 deep (tools.scripts.again)
!...
= 1

== no script has more than 64 saved scripts at once, through however many others
$ mkdir s; echo 'if (data.n === 3) return await codemode.sleep(60000); return await Promise.all(Array.from({ length: 8 }, () => tools.scripts.more({ n: data.n + 1 })))' >s/more.js
$ codemode run -q --mcp none --scripts s -e 'await tools.scripts.more({ n: 0 })'
! codemode: line 1, column 21: Error: more than 64 saved scripts of one script run at once (tools.scripts.more)
!...
= 1

== what a saved script waits for ends with the script that called it
$ mkdir s; echo 'await tools.s.hang({})' >s/hangs.js
$ codemode run -q --mcp-server "s=$SERVER --log log" --scripts s -e 'return await codemode.race([() => tools.scripts.hangs({}), () => codemode.sleep(300).then(() => "first")])'; grep -c '"notifications/cancelled"' log
> "first"
> 1

== one call from the shell
$ mkdir s; printf '/** @param {string} who\n * @param {integer} [times=1] */\nreturn `hello ${data.who}`.repeat(data.times)' >s/greet.js
$ codemode call -q --mcp none --scripts s scripts.greet who=you; codemode call -q --mcp none --scripts s scripts.greet who=you times=2; codemode call --json --mcp none --scripts s scripts.greet who=you times=x; codemode call -q --mcp none --scripts s scripts.gret
> hello you
> hello youhello you
~ {"ok":false,*
! codemode: call: scripts.greet: times must be *
! codemode: call: there is no tool scripts.gret; did you mean scripts.greet?
= 2

== the rules of the person hold inside, too
$ mkdir s; echo 'return (await tools.s.echo({ text: "x" })).text' >s/says.js
$ run() { codemode run -q --mcp-server "s=$SERVER" --scripts s "$@" -e 'try { text(await tools.scripts.says({})) } catch (e) { text(e.message) }'; }
$ run; run --deny s.echo; run --ask s.echo; run --deny 'scripts.*'; run --ask 'scripts.*'
> x
~ tools.s.echo does not exist*
~ s.echo is not allowed: *
~ tools.scripts *
~ scripts.says is not allowed: *

== a script that only calls what reads says that it only reads
$ mkdir s; echo 'return await tools.s.echo({ text: "x" })' >s/reads.js; echo 'return await tools.s[data.f]({ text: "x" })' >s/unknown.js
$ codemode run -q --read-only --mcp-server "s=$SERVER" --scripts s -e 'return [await tools.scripts.reads({}), Object.keys(tools.scripts)]'
$ codemode policy --read-only --mcp-server "s=$SERVER" --scripts s | grep scripts.
> [{"text":"x"},["reads"]]
> allow  scripts.reads: it says that it only reads
> deny   scripts.unknown: --read-only @unknown

== a file that cannot be used is told, and the others are there
$ mkdir s; echo '/** @param {Text_} x */' >s/bad.js; printf '\377' >s/bytes.js; echo 'return 1' >s/good.js; echo 'return 2' >s/good.ts
$ codemode run -q --mcp none --scripts s -e 'return Object.keys(tools.scripts)'; codemode run -q --mcp none --scripts nowhere -e 'return 1'
> ["good"]
! codemode: s/bad.js:1: the type {Text_} is not understood; write string, *
! codemode: the script s/bytes.js is left out: it is not UTF-8
! codemode: the script s/good.ts is left out: there is a script of that name already
! codemode: --scripts nowhere: No such file or directory
= 2

== the usual folder, and a server that has the name
$ mkdir -p c/codemode/scripts; echo 'return "kept"' >c/codemode/scripts/k.js
$ XDG_CONFIG_HOME=$PWD/c codemode run -q --mcp none -e 'return await tools.scripts.k({})'; XDG_CONFIG_HOME=$PWD/c codemode run -q --mcp none --scripts none -e 'return typeof tools'; XDG_CONFIG_HOME=$PWD/c codemode run -q --mcp-server "scripts=$SERVER" -e 'return Object.keys(tools.scripts).includes("k")'
> "kept"
> "object"
> false
! codemode: saved scripts are left out: a server is called scripts

== a trace knows the line of a call in a saved script, too
$ mkdir s; printf '\n\nreturn await tools.s.echo({ a: 1 })' >s/e.js
$ codemode run -q --mcp-server "s=$SERVER" --scripts s --trace t -e 'return await tools.scripts.e({})'; grep -ho '"tool":"[a-z.]*","decision":"allowed","line":[0-9]*' t/*
> {"a":1}
> "tool":"scripts.e","decision":"allowed","line":1
> "tool":"s.echo","decision":"allowed","line":3

== a trace and the log of a saved script name the call that it ran for
$ mkdir s; echo 'return await tools.s.echo({ a: 1 })' >s/e.js; echo 'return await tools.scripts.e({})' >s/f.js
$ codemode run -q --mcp-server "s=$SERVER" --scripts s --trace t --log l -e 'await tools.s.cwd({}); return await tools.scripts.f({})'
$ of() { grep -l "$1" t/*; }; first=$(basename "$(of 's.cwd')"); f=$(basename "$(of '"caller":{[^}]*"call":2}')")
$ grep -ho '"caller":{[^}]*}' t/* | sed "s/$first/FIRST/; s/$f/F/; s/script\":2.*,/script\":N,/" | sort; grep -o '"caller[^h]*"' l
> {"a":1}
> "caller":{"file":"F","script":N,"call":1}
> "caller":{"file":"FIRST","script":1,"call":2}
> "caller":1,"callerCall":2,"
> "caller":2147483648,"callerCall":1,"
