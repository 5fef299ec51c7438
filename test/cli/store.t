# --store: what scripts keep from run to run.

== a round trip
$ for i in 1 2 3; do codemode run -q --store s.json -e 'store("n", (load("n") ?? 0) + 1); return load("n")'; done
$ cat s.json
> 1
> 2
> 3
> {
>   "n": 3
> }

== other keys stay, byte for byte
$ printf '{"keep": 1.50e+00, "gone": 1}' >s.json
$ codemode run -q --store s.json -e 'store("gone", undefined); store("new", [1, 2])'
$ cat s.json
> {
>   "keep": 1.50e+00,
>   "new": [1,2]
> }

== a failed script writes nothing
$ echo '{"a":1}' >s.json; codemode run -q --store s.json -e 'store("a", 2); throw 1'; cat s.json; ls
> {"a":1}
> s.json
! codemode: *1
!...

== an empty file is an empty store
$ : >s.json; codemode run -q --store s.json -e 'return load("a") === undefined'
> true

== what is no store
$ echo '[1]' >a.json; echo '{' >b.json; for f in a b; do codemode run --store $f.json -e 'return 1'; done; codemode run --store . -e 'return 1'
! codemode: a.json: the store must be a JSON object
! codemode: b.json:2:1: the store is not JSON: *
! codemode: .: the store cannot be written: it is not a regular file
= 2

== a folder that is not there: told before the first call
$ codemode run -q --store no/s.json --mcp-server "s=$SERVER --log log" -e 'await tools.s.echo({}); store("a", 1); return 1'; ls
! codemode: no/s.json: the store cannot be written: No such file or directory

== a folder that takes no file, told before the first call (root may write anywhere: not for root)
$ mkdir d; echo '{}' >d/s.json; chmod 555 d; if [ "$(id -u)" = 0 ]; then echo 'codemode: d/s.json: the store cannot be written: Permission denied' >&2; else codemode run -q --store d/s.json -e 'text("ran")'; fi
$ chmod 755 d; ls d
> s.json
! codemode: d/s.json: the store cannot be written: Permission denied

== only a regular file is a store: a pipe and a device are left alone
$ mkfifo pipe; ln -s /dev/null null
$ for f in pipe null -; do codemode run -q --store $f -e 'text("ran"); store("a", 1)'; done; test -p pipe && test -L null && test -c /dev/null && ls
> null
> pipe
! codemode: pipe: the store cannot be written: it is not a regular file
! codemode: null: the store cannot be written: it is not a regular file
! codemode: -: the store cannot be written: it must be a file

== a byte order mark is accepted
$ printf '\357\273\277{"a": 1}' >s.json; codemode run -q --store s.json -e 'store("b", 2); return load("a")'; cat s.json
> 1
> {
>   "a": 1,
>   "b": 2
> }

== no change: the file is not touched
$ printf '{"a":1}' >s.json; codemode run -q --store s.json -e 'return load("a")'; cat s.json
> 1
> {"a":1}

== a link to a file that is not there yet
$ mkdir d; ln -s d/s.json s.json; codemode run -q --store s.json -e 'store("a", 1)'; test -L s.json && cat d/s.json; ls d
> {
>   "a": 1
> }
> s.json

== two runs that fill it together: the one that passes the limit is refused, the file stays readable
$ fill() { sed "s/NAME/'$1'/" fill.js | codemode run -q --store s.json --mcp-server "s=$SERVER --log $1.log --gate $1.gate" -; echo $? >$1.code; }
$ echo 'await tools.s.hold({}); for (let i = 0; i < 3; i++) store(NAME + i, "x".repeat(262000))' >fill.js
$ fill a & fill b & until grep -qs most a.log && grep -qs most b.log; do sleep 0.02; done
$ touch a.gate; until [ -s a.code ]; do sleep 0.02; done; touch b.gate; wait; cat a.code b.code
$ codemode run -q --store s.json -e 'store("a0", undefined); return [load("a2").length, load("b0") ?? null]'
$ codemode run -q --store s.json -e 'store("c", "x".repeat(262000)); return load("a0") ?? null'
> 0
> 7
> [262000,null]
> null
! codemode: s.json: the store cannot be written: it would hold more than 1048576 characters of keys and JSON

== a symbolic link stays one, rights stay
$ mkdir d; echo '{}' >d/s.json; chmod 600 d/s.json; ln -s d/s.json s.json
$ codemode run -q --store s.json -e 'store("a", 1)'; test -L s.json && echo link; stat -c %a d/s.json; grep -c a d/s.json; ls d
> link
> 600
> 1
> s.json

== two side by side: the keys of both are kept
$ one() { codemode run -q --store s.json --mcp-server "s=$SERVER --log $1.log --gate gate" -e "await tools.s.hold({}); store('$1', 1); store('x', '$1')"; }
$ one a & one b & until grep -qs most a.log && grep -qs most b.log; do sleep 0.02; done; touch gate; wait
$ codemode run -q --store s.json -e 'return [load("a"), load("b"), typeof load("x")]'
> [1,1,"string"]

== many at once: no key is lost
$ for i in 1 2 3 4 5 6 7 8; do codemode run -q --store s.json -e "store('k$i', $i)" & done; wait
$ grep -c '"k' s.json
> 8

== a value that is cut is kept whole for a later script
$ codemode run -q --store k.json --max-output-tokens 10 -e 'return Array.from({ length: 1000 }, (_, i) => i)'
$ codemode run -q --store k.json -e 'const r = codemode.result(1); return [r.length, r[999], load("codemode.result:1").length]'
$ codemode run -q --store k.json -e 'return codemode.result(2)'
$ codemode run -q --store k.json -e 'store("codemode.result:1", 2)'
> [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]
> [1000,999,1000]
! codemode: 38* bytes of the value left out (984 of 1000 items): the limit is 10 tokens
! codemode: all of the value is codemode.result(1) in a later script
! codemode: line 1, column 17: Error: codemode.result(2): there is no such result (any more)
! 1 | return codemode.result(2)
!   |                 ^
! codemode: line 1, column 1: TypeError: store() key must not begin with codemode.result:
! 1 | store("codemode.result:1", 2)
!   | ^
= 1

== so is what was printed, as a list of texts; what was not cut is not kept
$ codemode run -q --store p.json --max-output-tokens 10 -e 'text("a".repeat(50)); text({ n: 1 }); return 1'
$ codemode run -q --store p.json --max-output-tokens 10 -e 'return "shorter than the limit 123456"'
$ codemode run -q --store p.json -e 'const [a, b] = codemode.result(1); return [a.length, JSON.parse(b).n]'
$ codemode run -q --store p.json -e 'return codemode.result(2)' 2>/dev/null || echo none
> aaaaaaaaaaaaaaaaaaaa
> 1
> "shorter than the limit 123456"
> [50,1]
> none
! codemode: 37 bytes of printed text left out (30 of 50 bytes): the limit is 10 tokens
! codemode: all of the printed text is codemode.result(1) in a later script
