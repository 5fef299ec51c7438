# What is wrong with a script, and what it can call.

== nothing wrong
$ codemode check -e 'return await tools.s.echo({ text: "a" })'
> It can call:
>   line 1: tools.s.echo({"text":"a"})

== no calls
$ codemode check -e 'return 1'
> It can call no tools.

== a problem has its place, its line and a form to write
$ codemode check -e 'const r = tools.s.echo({})
$ return r.text'
> script:2:8: warning: MissingAwait: r is a promise, which has no text: write (await r).text
>     2 | return r.text
>       |        ^
> It can call:
>   line 1: tools.s.echo({})

== errors end with 1
$ printf 'fetch("x")\n' > a.js; codemode check a.js
> a.js:1:1: error: NotHere: fetch does not exist here: only tools reach the network; ALL_TOOLS lists them
>     1 | fetch("x")
>       | ^
> It can call no tools.
= 1

== tools of servers are known
$ codemode check -q --mcp-server "s=$SERVER" -e 'await tools.s.ecko({}); await tools.t.x({})'
~ script:1:7: error: UnknownTool: tools.s.ecko does not exist. Did you mean *tools.s.echo*
~ *await tools.s.ecko*
~ *^
~ script:1:31: error: UnknownTool: tools.t.x does not exist.*
~ *await tools.t.x*
~ *^
~ It can call:
~ *line 1: tools.s.ecko({})
~ *line 1: tools.t.x({})
= 1

== loops, elements, computed names
$ codemode check -e 'for (const t of ALL_TOOLS) await tools[t.name]({})
$ await Promise.all([1].map((i) => tools.s.echo({ text: i })))'
> It can call:
>   line 1: tools.*({})  -- in a loop, any of them: which one is decided at run time
>   line 2: tools.s.echo({ text: i })  -- for each element

== JSON
$ codemode check --json -e 'const a = 1; a = 2'
> {"ok":false,"problems":[{"level":"error","code":"ConstChanged","message":"a is a const and cannot be changed: declare it with let","line":1,"column":14,"endLine":1,"endColumn":15,"excerpt":"1 | const a = 1; a = 2\n  |              ^"}],"calls":[]}
= 1

== the tree is that of the engine's text
$ codemode check --tree -e 'const a: number = 1'
> (body async (var const (declarator (bind a) (number 1))))

== raw takes nothing off
$ codemode check --raw -e 'const a: number = 1'
> script:1:8: error: SyntaxError: unexpected :
>     1 | const a: number = 1
>       |        ^
> It can call no tools.
= 1

== a file that is not there
$ codemode check nowhere.js
! codemode: nowhere.js: the script cannot be read: *
= 2

== output that cannot be written: one message, one exit code; and one object on every way out
$ codemode check -e 'return 1' >/dev/full; echo $?; codemode check --json no.js 2>err; echo " $?"
> 7
> {"ok":false,"error":{"kind":"command","code":"Usage","message":"no.js: the script cannot be read: No such file or directory"}}
>  2
! codemode: stdout cannot be written: No space left on device
