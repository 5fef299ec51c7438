# What codemode-replay(1) says, tried. More in test/cli/replay.t.

" The script runs again with the store, the data and the tools of the record, and gets the recorded answers. No server is started and no store is written.
" What it prints and returns is shown as codemode run shows it.
== without the server, the store and the data
$ echo '{"n":1}' >s.json
$ codemode run -q --record r --store s.json --data '[2]' --mcp-server "s=$SERVER" -e 'store("n", load("n") + 1); text(Object.keys(tools)); return [load("n"), data, await tools.s.echo({ a: 3 })]'
$ rm s.json; codemode replay -q r; ls s.json 2>&1 | grep -c 'No such'
> ["s"]
> [2,[2],{"a":3}]
> ["s"]
> [2,[2],{"a":3}]
> 1

" At the first one that is another the run is stopped, and standard error says from which line of the record on the run is another, after which call, what was recorded and what came, with the lines of the script.
== another script
$ codemode run -q --record r --mcp-server "s=$SERVER" -e 'await tools.s.echo({ a: 1 }); return await tools.s.echo({ a: 2 })' >out
$ echo 'await tools.s.echo({ a: 1 });
$ // the second line
$ return await tools.s.echo({ a: 3 })' >other.js; codemode replay -q --script other.js r
! codemode: the run is another from line 4 of the record on, after call 1 of tools.s.echo {"a":1} (line 1)
! codemode: record: call 2 of tools.s.echo {"a":2} (line 1)
! codemode: replay: call 2 of tools.s.echo {"a":3} (line 3)
= 8

" A file that was cut or changed, and a file of another version, are refused.
== cut, changed, of another version, of something else
$ codemode run -q --record r -e 'return 1' >out; sed '$d' r >cut; sed 's/return 1/return 2/' r >changed; sed 's/codemodeRecord":1/codemodeRecord":9/' r >version; echo 'return 1' >script
$ for f in cut changed version script no; do codemode replay -q $f; done
! codemode: replay: cut: it was cut: its last line is missing
! codemode: replay: changed: it was changed: the checksum is of another text
! codemode: replay: version: it is of version 9, and this codemode reads version 1
! codemode: replay: script: it is no record of codemode run
! codemode: replay: no: No such file or directory
= 2

" A script that was stopped while it computed is compared up to there.
== a script that computes for ever
$ codemode run -q --record r --timeout 300 -e 'text(1); for (;;);' >out 2>err; codemode replay r 2>&1 | grep -o 'the same run'
> the same run

" On standard output, with - before that of the record and + before that of the new run, and nothing else.
== --diff
$ codemode run -q --record r -e 'text(1); return 1' >out; echo 'text(2)' >other.js; codemode replay -q --diff r; codemode replay -q --diff --script other.js r 2>err
> -{"ms":0,"print":"text","text":"1"}
> +{"ms":0,"print":"text","text":"2"}
= 8

" It gets the answers of the record as long as it makes the same calls.
== a script that does more with the same answers
$ codemode run -q --record r --mcp-server "s=$SERVER" -e 'return await tools.s.echo({ a: 1 })' >out; echo 'const v = await tools.s.echo({ a: 1 }); text(v.a); return v' >other.js; codemode replay -q --script other.js r 2>err; grep -o 'replay: .*' err
> replay: text "1"
