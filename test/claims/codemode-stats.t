# What codemode-stats(1) says, tried.

" Reads files that --log of codemode-run(1) or codemode-serve(1) has written. Prints how many scripts ran and failed, how many bytes they received from tools and gave back, and how many tokens stayed out of the context (at 4 bytes a token). Then it prints for each server the number of calls and of failed calls, their mean time, and the bytes and tokens of their answers.
== totals
$ codemode run -q --log l --mcp-server "s=$SERVER" --mcp-server "t=$SERVER" -e 'await tools.s.big({ bytes: 40000 }); try { await tools.t.fail({ text: "oh" }) } catch {}'; codemode run -q --log l2 -e 'oops()' 2>err; codemode stats l l2 | awk 'NF == 7 && NR > 3 { $4 = "-" } { print }' | sed 's/  */ /g'
> 2 scripts, of which 1 failed
> 40.2 kB received from tools, 0 bytes given back: about 10044 tokens stayed out
> 
> server calls failed - ms received tokens
> s 1 0 - 40.1 kB 10022
> t 1 1 - 90 bytes 22
> all 2 1 - 40.2 kB 10044

" Lines that do not belong to a log are left out, and their number is printed on standard error. With --json it prints one object.
== JSON, and other lines
$ codemode run -q --log l --mcp-server "s=$SERVER" -e 'return await tools.s.echo({})'; printf 'noise\n{"a":1}\n{"event":"later"}\n' >>l; codemode stats --json l | sed 's/"ms":[0-9]*/"ms":0/g'
> {}
> {"scripts":1,"scriptsFailed":0,"given":2,"tokensKeptOut":22,"calls":1,"failed":0,"ms":0,"received":91,"tokens":22,"servers":[{"server":"s","calls":1,"failed":0,"ms":0,"received":91,"tokens":22}]}
! codemode: stats: 2 lines left out: not of a log

" A log has a JSON object on each line: script, call, decision, answer and end; doc/format/log.md has their members.
== the lines
$ codemode run -q --log l --ask s.echo --mcp-server "s=$SERVER" -e 'await tools.s.echo({ a: 1 }).catch(() => 0); await tools.s.fail({ text: "no" }).catch(() => 0); return "é"' </dev/null; sed 's/^{"time":"[0-9-]*T[0-9:.]*Z",//; s/"process":[0-9]*/"process":0/; s/"ms":[0-9]*/"ms":0/; s/"hash":"[0-9a-f]\{16\}"/"hash":""/; s/\(is not allowed\).*"}/\1"}/' l
> "é"
> "event":"script","process":0,"script":1,"hash":"","bytes":107}
> "event":"decision","process":0,"script":1,"call":0,"said":"unasked"}
> "event":"call","process":0,"script":1,"call":1,"server":"s","tool":"echo","decision":"asked","why":"--ask s.echo","args":{"a":1},"argsBytes":7}
> "event":"answer","process":0,"script":1,"call":1,"how":"refused","ms":0,"bytes":0,"message":"s.echo is not allowed"}
> "event":"call","process":0,"script":1,"call":2,"server":"s","tool":"fail","decision":"allowed","why":"it says that it only reads","args":{"text":"no"},"argsBytes":13}
> "event":"answer","process":0,"script":1,"call":2,"how":"failed","ms":0,"bytes":90,"message":"no"}
> "event":"end","process":0,"script":1,"how":"ok","ms":0,"calls":2,"received":90,"given":4}

" Secrets of the configuration are left out. Only its owner may read the file.
== secrets
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_KEY":"hunter2-hunter2"}}}}' >c.json; codemode run -q --log l --mcp c.json -e 'await tools.s.fail({ text: "hunter2" + "-hunter2" })' 2>err; grep -o 'hunter2.hunter2\|secret [A-Z_]*' l; stat -c %a l
> secret API_KEY
> secret API_KEY
> 600

" When it reaches 64 MiB, or --log-size bytes, FILE is renamed to FILE.1, FILE.1 to FILE.2 and FILE.2 to FILE.3, and the old FILE.3 is deleted. Several processes may append to one file.
== a full log, and one of many
$ truncate -s 64M l; echo >>l; codemode run -q --log l -e 'return 1'; stat -c %s l.1; grep -c script l; for i in 1 2 3 4; do codemode run -q --log m -e 'for (let i = 0; i < 50; i++) await Promise.resolve(text(""))' >out & done; wait; grep -c '"event":"end".*}$' m
> 1
> 67108865
> 2
> 4

== the oldest of four files goes
$ for i in 1 2 3 4 5 6 7 8 9; do codemode run -q --log l --log-size 300 -e "return '$i'" >out; done; ls l*; cat l.3 l.2 l.1 l | grep -c '"event":"end"'; stat -c %a l l.1
> l
> l.1
> l.2
> l.3
> 4
> 600
> 600

== no line is lost while four processes turn the file over
$ for i in 1 2 3 4; do codemode run -q --log m --log-size 20k --mcp-server "s=$SERVER" -e 'for (let i = 0; i < 40; i++) await tools.s.echo({ i })' & done; wait; ls m.1; cat m m.* | wc -l; cat m m.* | awk '!/^{.*}$/ { n++ } END { print n + 0 }'
> m.1
> 328
> 0

" 0 when all files were read, 2 wrong usage or a file that cannot be read, 7 standard output could not be written.
== exit codes
$ echo >l; code() { codemode "$@" >out 2>&1; echo $?; }; code stats l; code stats; code stats none; code run --log /no/such/folder/l -e 'return 1'; codemode stats l >/dev/full 2>err; echo $?
> 0
> 2
> 2
> 2
> 7
