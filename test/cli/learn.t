# What calls teach (--learn): counts, and shapes of results that no schema declares.

== without the option nothing is kept
$ export XDG_CACHE_HOME=$PWD/cache; codemode run -q --mcp-server "s=$SERVER" -e 'await tools.s.echo({ text: "a" })'; ls
> {"text":"a"}

== what was learned is shown by all commands that have the option, and holds no value
$ export XDG_CACHE_HOME=$PWD/cache
$ codemode run -q --learn --mcp-server "s=$SERVER" -e 'await tools.s.echo({ text: "hunter2", by: { "ann@mail.example": 5 } }); await tools.s.cwd({}); await tools.s.fail({}).catch(() => {})'
$ stat -c %a cache/codemode/learned.json; grep -c 'hunter2\|ann' cache/codemode/learned.json
$ codemode tools -q --learn --mcp-server "s=$SERVER" | grep -e observed -e s.fail
$ codemode types -q --learn --mcp-server "s=$SERVER" | grep -A3 -e '@returns observed' | sed 's/20[0-9-]*/DAY/'
$ codemode run -q --learn --mcp-server "s=$SERVER" -e 'return codemode.describe("s.cwd").signature'
$ codemode serve -q --learn --print-description --mcp-server "s=$SERVER" 2>/dev/null | grep observed
$ codemode tools -q --mcp-server "s=$SERVER" | grep -c observed
> 600
> 0
>   tools.s.cwd(): Promise</* observed */ string>
>   tools.s.echo(args?: { text?: string; }): Promise</* observed */ { by: { [key: string]: number; }; text: string; }>
>   tools.s.fail(args?: { text?: string; }): Promise<unknown>
>      * @returns observed in 1 call, last on DAY
>      */
>     cwd(args?: {}): Promise</* observed */ string>;
>     /**
> --
>      * @returns observed in 1 call, last on DAY
>      */
>     echo(args?: { text?: string; }): Promise</* observed */ { by: { [key: string]: number; }; text: string; }>;
>     /** One variable of this process. */
> "tools.s.cwd(): Promise</* observed */ string>"
>   .cwd(): Promise</* observed */ string> // Where this process runs.
>   .echo(args?: { text?: string; }): Promise</* observed */ { by: { [key: string]: number; }; text: string; }> // Gives its arguments back.
> 0
= 1

== results are merged, and are no promise: another one is no warning
$ export XDG_CACHE_HOME=$PWD/cache
$ for v in '{ text: "a", n: 1 }' '{ text: "b", n: null }' '{ n: [true] }'; do codemode run --learn --mcp-server "s=$SERVER" -e "await tools.s.echo($v)" 2>&1 | grep -i warn; done
$ codemode tools -q --learn --mcp-server "s=$SERVER" | grep observed
>   tools.s.echo(args?: { text?: string; }): Promise</* observed */ { n: null | number | boolean[]; text?: string; }>

== many processes at once: each call is counted
$ export XDG_CACHE_HOME=$PWD/cache; for i in 1 2 3 4 5 6; do codemode run -q --learn --mcp-server "s=$SERVER" -e 'await tools.s.cwd({}); await tools.s.cwd({})' >/dev/null & done; wait
$ grep -o '"used":[0-9]*' cache/codemode/learned.json; grep -o '"observed":[0-9]*' cache/codemode/learned.json; ls cache/codemode
> "used":12
> "observed":12
> learned.json

== used tools come first, where there is no room for all
$ export XDG_CACHE_HOME=$PWD/cache; d() { codemode serve -q --learn --catalog-tokens 120 --print-description --mcp-server "s=$SERVER" 2>/dev/null | grep -A1 "^tools.s" | cut -c 1-8; }
$ d; codemode run -q --learn --mcp-server "s=$SERVER" -e 'await tools.s.sleep({ ms: 1 })' >/dev/null; d
> tools.s:
>   .bad()
> tools.s:
>   .sleep

== a tool of another definition is another tool; old ones are forgotten; a wrong file holds nothing
$ export XDG_CACHE_HOME=$PWD/cache; f=cache/codemode/learned.json
$ codemode run -q --learn --mcp-server "s=$SERVER" -e 'await tools.s.cwd({})' >/dev/null; t() { codemode tools -q --learn --mcp-server "s=$SERVER" | grep -c observed; }; t
$ cp $f kept; sed -i 's/"definition":"[0-9a-f]/"definition":"x/' $f; t; sed 's/Day":[0-9]*/Day":20000/g' kept >$f; t; echo '[' >$f; t; cat kept >$f; t
> 1
> 0
> 0
> 0
> 1

== a file that others may read is not used
$ export XDG_CACHE_HOME=$PWD/cache; mkdir -p cache/codemode; touch cache/codemode/learned.json; chmod 644 cache/codemode/learned.json; codemode run -q --learn --mcp-server "s=$SERVER" -e 'await tools.s.cwd({})' >/dev/null
! codemode: what was learned is not kept: others can read or write it: chmod 600

== no HOME
$ env -u HOME -u XDG_CACHE_HOME codemode run -q --learn -e '1'
> 1
! codemode: nothing is learned: there is no HOME

== what a saved script returns is learned, too, until its code changes
$ export XDG_CACHE_HOME=$PWD/cache; mkdir s; echo 'return { n: [data.n] }' >s/list.js; printf '/** @returns {number} */ return 1' >s/said.js
$ codemode run -q --learn --mcp none --scripts s -e 'await tools.scripts.list({ n: 1 }); await tools.scripts.list({ n: 2 }); await tools.scripts.said({})'
$ codemode tools -q --learn --mcp none --scripts s | grep scripts.; echo 'return 1' >s/list.js; codemode tools -q --learn --mcp none --scripts s | grep scripts.list
$ codemode run -q --learn --mcp none --scripts s -e 'await tools.scripts.list({})'; codemode tools -q --learn --mcp none --scripts s | grep scripts.list
> 1
> scripts: 2 tools
>   tools.scripts.list(args?: { [key: string]: unknown; }): Promise</* observed */ { n: number[]; }>
>   tools.scripts.said(args?: { [key: string]: unknown; }): Promise<number>
>   tools.scripts.list(args?: { [key: string]: unknown; }): Promise<unknown>
> 1
>   tools.scripts.list(args?: { [key: string]: unknown; }): Promise</* observed */ number>
