# What codemode-check(1) says, tried. More scripts: test/source.

" and says what it finds, without running it
== a call that is not made
$ codemode check -q --mcp-server "s=$SERVER --log log" -e 'return await tools.s.echo({ a: 1 })'; grep -c tools/call log
> It can call:
>   line 1: tools.s.echo({"a":1})
> 0
= 1

" Errors are what cannot work: syntax, tools that do not exist, names of Node or of browsers that do not exist here, a const that is changed.
" First come the problems, each with its place, its kind, the form to write instead, and the line with a mark under the place.
== one of each
$ for code in 'return (' 'await tools.s.ekho({})' 'require("fs")' 'const a = 1; a = 2'; do codemode check -q --mcp-server "s=$SERVER" -e "$code" >out; echo $?; sed -n 1p out; grep -c '\^' out; done
> 1
~ script:1:*: error: *
> 1
> 1
~ script:1:*: error: UnknownTool: *echo*
> 1
> 1
~ script:1:*: error: *
> 1
> 1
~ script:1:*: error: *
> 1

" Warnings are what probably is not meant: a call without await whose result is used, forEach with an async callback, statements that are never reached.
== one of each, and exit code 0
$ for code in 'const r = tools.s.echo({}); return r.length' '[1].forEach(async n => { await tools.s.echo({ n }) })' 'return 1; text("never")'; do codemode check -q --mcp-server "s=$SERVER" -e "$code" >out; echo $?; grep -c ': warning: ' out; done
> 0
> 1
> 0
> 1
> 0
> 1

" Then comes every place that can call a tool: which one, with which arguments as far as they stand in the script, whether in a loop or for each element of a list.
" * stands for any tool, space.* for any of that namespace: its name is made at run time, or tools is handed to code that is not followed, or the script makes code of strings.
== places
$ codemode check -q --mcp-server "s=$SERVER" -e 'for (const n of [1]) await tools.s.echo({ n }); [1].map(n => tools.s.cwd({})); const k = "ec" + "ho"; await tools.s[k]({}); globalThis[k](tools)' | grep '^  line' | sed 's/ *--.*any of them.*//' | sort -u
>   line 1: tools.*
>   line 1: tools.s.*({})
>   line 1: tools.s.cwd({})  -- for each element
>   line 1: tools.s.echo({ n })  -- in a loop

" Tools are only checked against the servers that are named; without servers none is called unknown.
== without servers
$ codemode check -e 'await tools.any.thing({})'
> It can call:
>   line 1: tools.any.thing({})

" A promise in the place of a value is a warning of its result in any case
== in the result of a run
$ codemode run -q --json --mcp-server "s=$SERVER" -e 'const r = tools.s.echo({}); return r.length ?? 0' | grep -c '"warnings":\[{'
> 1

" With --json it prints one object: ok (there is no error), problems (each with level, code, message, line, column, endLine, endColumn, excerpt) and calls (each with tool, args or argsText, line, column, inLoop, inCallback, computed, awaited, named, known).
== members
$ codemode check -q --json --mcp-server "s=$SERVER" -e 'await tools.s.echo({ a: 1 }); a.b' >out; wc -l <out; for m in ok problems level code message line column endLine endColumn excerpt calls tool args line column inLoop inCallback computed awaited named known; do grep -q "\"$m\":" out || echo "no $m"; done
> 1

" 0 when there is no error, 1 when there is one, 2 wrong usage or a file that cannot be used, 4 stopped by a signal, 6 no server came up, 7 standard output could not be written
== exit codes
$ code() { codemode check -q "$@" >out 2>&1; echo $?; }
$ code -e 'return 1'; code -e 'return ('; code no.js; code --mcp-server "s=$SERVER --die x" -e 1; codemode check -e 1 2>err >/dev/full; echo $?
$ codemode check -q --mcp-server "s=$SERVER --log log --slow 600000" -e 1 >out 2>&1 & until grep -qs initialize log; do sleep 0.02; done; kill -TERM $!; wait $!; echo $?
> 0
> 1
> 2
> 6
> 7
> 4
