# What codemode-call(1) says, tried. More of it: test/cli/call.t.

" Starts the server of the tool and no other, makes one call, and prints the result: a text as it is, anything else as JSON. The name is that of codemode-tools(1), or the server's and the tool's own with a dot between them.
" With --json it prints one object, with ok and value or error.
== one server, one call
$ call() { codemode call -q --mcp-server "a=$SERVER --log a.log" --mcp-server "my-s=$SERVER --log s.log" "$@"; }
$ call my_s.echo text=x; call my-s.echo text=x; call my-s.env name=NOT_THERE; call --json my-s.env name=NOT_THERE; ls *.log; grep -c tools/call s.log
> {"text":"x"}
> {"text":"x"}
> (unset)
> {"ok":true,"value":"(unset)"}
> s.log
> 4

" a text where the property may be one, otherwise JSON where it is JSON. A key that is given more than once, and one whose property is an array, becomes an array of its values. Arguments that do not fit the schema are told and not sent.
== arguments
$ call() { codemode call -q --mcp-server "s=$SERVER --log log" "$@"; }
$ call s.echo text=1 n=1 m=x k=1 k=2; call s.echo '{"text":"y"}'; echo '{"text":"z"}' | call s.echo -; call s.big bytes=x 2>err; echo $?; grep '"big"' log | wc -l
> {"text":"1","n":1,"m":"x","k":[1,2]}
> {"text":"y"}
> {"text":"z"}
> 2
> 0

" 0 when the tool answered, 1 the call failed, 2 wrong usage, arguments that do not fit or a file that cannot be used, 4 stopped by a signal, 6 the server did not come up, 7 standard output could not be written.
== exit codes
$ code() { codemode call -q "$@" >out 2>&1; echo $?; }
$ code --mcp-server "s=$SERVER" s.cwd; code --mcp-server "s=$SERVER" s.fail; code; code --mcp no.json s.cwd; code --mcp-server "s=$SERVER --die x" s.cwd; codemode call -q --mcp-server "s=$SERVER" s.cwd 2>err >/dev/full; echo $?
> 0
> 1
> 2
> 2
> 6
> 7
