# On a terminal (script makes one): for eyes, not for programs.
? script -qec true /dev/null

== a value has line breaks
$ script -qec "codemode run -q -e 'return { a: [1] }'" /dev/null | tr -d '\r'
> {
>   "a": [
>     1
>   ]
> }

== --json stays what it is
$ script -qec "codemode run -q --json -e 'return { a: [1] }'" /dev/null | tr -d '\r' | wc -l
> 1

== control characters are shown, not sent
$ script -qec "codemode run -q -e 'text(\"a\\u001b[31mb\\u009bc\\u0007\")'" /dev/null | tr -d '\r'
> a^[[31mb<U+009B>c^G

== so on every terminal, and whatever turns the direction of text
$ for TERM in dumb unknown xterm; do export TERM; script -qec "codemode run -q -e 'text(\"a\\u202eb\\u2066c\\u001b[2J\"); console.log(\"d\\u202ee\\u001b[2J\"); throw new Error(\"f\\u009bg\")'" /dev/null | tr -d '\r' | grep -v '^ \|throw' | sed 's/.*Error/Error/'; done | sort | uniq -c | tr -s ' '
>  3 Error: f<U+009B>g
>  3 a<U+202E>b<U+2066>c^[[2J
>  3 d<U+202E>e^[[2J

== in a pipe they stay
$ codemode run -q -e 'text("a\u001bb")' | od -An -tx1 | xargs
> 61 1b 62 0a

== a live line shows the servers that are waited for, then the calls
$ export TERM=xterm
$ script -qec "codemode run --mcp-server 's=$SERVER --slow 300' -e 'await tools.s.sleep({ ms: 300 })'" /dev/null | tr '\r' '\n' >out
$ grep -q 'waiting for s (' out && echo waits; grep -q 'calls: 1 running, 0 done, 0 bytes received' out && echo calls; tail -2 out | grep -c '1 call, .*received from tools'
> waits
> calls
> 1

== and what a tool says of its progress
$ export TERM=xterm COLUMNS=120
$ script -qec "codemode run --mcp-server 's=$SERVER --progress' -e 'await tools.s.sleep({ ms: 300 })'" /dev/null | tr '\r' '\n' | grep -o '1 running, .*: half' | sort -u
> 1 running, 0 done, 0 bytes received; 1 of 2: half

== not when it is unwanted
$ export TERM=xterm
$ script -qec "codemode run -q --mcp-server 's=$SERVER --slow 300' -e 'await tools.s.sleep({ ms: 300 }); return'" /dev/null | wc -c
> 0

== not on a terminal that cannot rewrite a line
$ TERM=dumb script -qec "codemode run --mcp-server 's=$SERVER --slow 300' -e 'await tools.s.sleep({ ms: 300 })'" /dev/null | grep -c waiting
> 0
= 1
