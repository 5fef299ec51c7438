# What a script could call, in three languages.

== a list
$ codemode tools -q --mcp-server "b=$SERVER" --mcp-server "a=$SERVER" | grep -A2 -E '^(a|b):'
> a: 9 tools
>   tools.a.bad(): Promise<unknown>
>       Is not UTF-8.
> --
> b: 9 tools
>   tools.b.bad(): Promise<unknown>
>       Is not UTF-8.

== signatures
$ codemode tools -q --mcp-server "a=$SERVER" | grep tools.a.big
>   tools.a.big(args?: { bytes?: number; }): Promise<unknown>

== JSON
$ codemode tools -q --json --mcp-server "my-server=$SERVER" | sed -n '/"name":"echo"/p'
>  {"name":"echo","space":"my-server","path":"my_server.echo","description":"Gives its arguments back.\nAll of them.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"readOnlyHint":true,"idempotentHint":false,"destructiveHint":false}},

== a script asks for the same
$ codemode run -q --mcp-server "my-s=$SERVER" -e 'const [t] = codemode.search("give arguments back"); return [t.path, t.namespace, codemode.describe(t).inputSchema]'
> ["my_s.echo","my_s",{"type":"object","properties":{"text":{"type":"string"}}}]
$ codemode run -q --place inline --mcp-server "my-s=$SERVER" -e 'return codemode.describe("my_s.echo").declaration'
> "declare const tools: {\n  my_s: {\n    /**\n     * Gives its arguments back.\n     * All of them.\n     */\n    echo(args?: { text?: string; }): Promise<unknown>;\n  };\n};\n"

== TypeScript
$ codemode types -q --mcp-server "s=$SERVER" | grep -E 'declare|echo'
~ *declare const tools*
~ *echo(*

== none came up
$ codemode tools -q --mcp-server "bad=$SERVER --die nope"
! codemode: server bad *
! *nope*
! codemode: no server came up
= 6

== the names are what a script uses
$ for path in $(codemode tools -q --json --mcp-server "my-server=$SERVER" | sed 's/.*"path":"\([^"]*\)".*/\1/'); do codemode run -q --mcp-server "my-server=$SERVER" -e "return typeof tools.$path"; done | sort | uniq -c | tr -s ' '
>  9 "function"

== none is left: disabled, codemode itself, an empty list
$ echo '{"mcpServers":{"a":{"command":"cat","disabled":true}}}' >off.json; echo '{"mcpServers":{"a":{"command":"codemode"}}}' >self.json; echo '{"mcpServers":{}}' >none.json
$ for f in off self none; do codemode tools -q --mcp $f.json 2>/dev/null; echo $?; codemode types -q --mcp $f.json 2>/dev/null; echo $?; done | sort | uniq -c | tr -s ' '
>  6 6

== a list that cannot be written: one message, one exit code
$ for c in tools types "tools --json"; do codemode $c -q --mcp-server "a=$SERVER" --mcp-server "b=$SERVER" >/dev/full; echo $?; done
> 7
> 7
> 7
! codemode: stdout cannot be written*
! codemode: stdout cannot be written*
! codemode: stdout cannot be written*

== a findings list that cannot be written
$ codemode doctor >/dev/full; echo $?; codemode doctor --json >/dev/full; echo $?
> 7
> 7
! codemode: stdout cannot be written*
! codemode: stdout cannot be written*
