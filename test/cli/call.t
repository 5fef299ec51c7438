# codemode call: one call from the shell.

== values by the types of the schema, or as JSON where it says nothing
$ call() { codemode call -q --mcp-server "s=$SERVER" "$@"; }
$ call s.echo text=5 a=5 b=true c='x y' d='{"e":[1]}' f= g=a=b h=1 h=x; call s.echo; call s.echo '{ "text": "1", "big": 12345678901234567890 }'; echo '{"text":"in"}' | call s.echo -
$ call s.big bytes=3; call s.env name=NOT_THERE; call s.cwd | sed 's#.*/##'
> {"text":"5","a":5,"b":true,"c":"x y","d":{"e":[1]},"f":"","g":"a=b","h":[1,"x"]}
> {}
> {"text":"1","big":12345678901234567890}
> {"text":"in"}
~ ???
> (unset)
> here

== --json
$ codemode call --json --mcp-server "s=$SERVER" s.echo text=x; codemode call --json --mcp-server "s=$SERVER" s.fail text=no; codemode call --json --mcp-server "s=$SERVER" s.nope
> {"ok":true,"value":{"text":"x"}}
> {"ok":false,"error":{"kind":"tool","tool":"s.fail","message":"no"}}
> {"ok":false,"error":{"kind":"command","code":"Usage","message":"call: there is no tool s.nope"}}
! codemode: call: there is no tool s.nope
= 2

== what is wrong is told, with the nearest name
$ code() { codemode call -q --mcp-server "my-s=$SERVER" "$@"; echo $?; }
$ code my-s.fail text=no; code my_s.ekho; code other.echo; code my-s.echo x; code my-s.big bytes=many; code; code my-s.big bytes=1; codemode call -q s.echo; echo $?
> 1
> 2
> 2
> 2
> 2
> 2
~ ?
> 0
> 2
! codemode: my_s.fail: no
! codemode: call: there is no tool my_s.ekho; did you mean my_s.echo?
! codemode: call: other.echo: there is no such server; there are: my-s
! codemode: call: "x" is neither key=value nor a JSON object
! codemode: call: my-s.big: bytes must be *
! codemode: call: which tool? *
! codemode: no servers were found: give --mcp FILE

== only the server of the call is started
$ codemode call -q --mcp-server "a=$SERVER --log a.log" --mcp-server "b=$SERVER --log b.log" b.cwd >out; ls *.log
> b.log

== the rules of the person hold
$ call() { codemode call -q --mcp-server "s=$SERVER" "$@"; echo $?; }
$ call --deny s.cwd s.cwd; call --ask s.cwd s.cwd; call --ask s.cwd --yes s.cwd | sed 's#.*/here#here#'; codemode call -q --mcp-server "s=$SERVER --destroys" --dry-run s.fail text=x; echo $?
> 2
> 1
> here
> 0
> null
> 0
! codemode: call: there is no tool s.cwd*
! codemode: s.cwd is not allowed: *, and no person can be asked; to allow it: --allow 's.cwd', or *
! codemode: dry run: s.fail({"text":"x"}) was not called

== a server that does not come up, and a signal
$ codemode call -q --mcp-server "s=$SERVER --die x" s.echo 2>err; echo $?
$ codemode call -q --mcp-server "s=$SERVER --log log" s.hang 2>err & until grep -qs '"hang"' log; do sleep 0.02; done; kill -TERM $!; wait $!; echo $?; cat err; grep -c notifications/cancelled log
> 6
> 4
> codemode: stopped by a signal
> 1
