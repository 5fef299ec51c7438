# Secrets of the configuration: no script, result, error, description or line on stderr has them.

== results, errors, encodings
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_TOKEN":"hunter2-hunter2","MONKEY":"not a secret"}}}}' >c.json
$ codemode run -q --mcp c.json -e 'text(await tools.s.env({ name: "API_TOKEN" })); text(await tools.s.env({ name: "MONKEY" }));
$ try { await tools.s.fail({ text: "x hunter2-hunter2 y" }) } catch (e) { text(e.message) }
$ text((await tools.s.echo({ text: btoa("a hunter2-hunter2") })).text);
$ return [await tools.s.echo({ a: "hunter2-hunter2", "hunter2-hunter2": 1 }), await tools.s.echo({ hex: "68756e746572322d68756e74657232" })]'
> [secret API_TOKEN]
> not a secret
> x [secret API_TOKEN] y
> YSB[secret API_TOKEN]I=
> [{"a":"[secret API_TOKEN]","[secret API_TOKEN]":1},{"hex":"[secret API_TOKEN]"}]

== a secret that is a number in a result
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"PIN_KEY":"12345678"}}}}' >c.json
$ codemode run -q --mcp c.json -e 'return await tools.s.echo({ n: 12345678, m: 1234567 })'
> {"n":"[secret PIN_KEY]","m":1234567}

== what a server says before it dies
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","args":["--die","bad hunter2-hunter2"],"env":{"DB_PASSWORD":"hunter2-hunter2"}}}}' >c.json
$ codemode run --mcp c.json -e 'return await tools.s.echo({})'
! codemode: server s (*): it exited with code 3 (its last words on stderr: bad \[secret DB_PASSWORD\])
! its stderr ends with: bad \[secret DB_PASSWORD\]
! codemode: no server came up
= 6

== short values are no secrets; neither are folders and paths of programs
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_KEY":"true","HOME":"/home/somebody"}}}}' >c.json
$ codemode run -q --mcp c.json -e 'return await tools.s.echo({ a: "true", b: "/home/somebody" })'
> {"a":"true","b":"/home/somebody"}

== put together by a script from parts of results: printed and returned
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_TOKEN":"hunter2-hunter2"}}}}' >c.json
$ script='const half = (await tools.s.env({ name: "API_TOKEN" })).length + "", [a, b] = ["hunter2-", "hunter2"]; text(a + b); return { a: a + b, e: encodeURIComponent(a + b), x: btoa(a + b) }'
$ codemode run -q --mcp c.json -e "$script"; codemode run -q --json --mcp c.json -e "$script" | grep -c hunter2
> [secret API_TOKEN]
> {"a":"[secret API_TOKEN]","e":"[secret API_TOKEN]","x":"[secret API_TOKEN]"}
> 0
= 1

== part by part: over prints, and over the elements of a value
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_TOKEN":"hunter2-hunter2"}}}}' >c.json
$ script='const [a, b] = ["hunter2-", "hunter2"]; await tools.s.cwd({}); console.log(a); console.log(b); text(a); text(b); return [a, b]'
$ codemode run -q --json --mcp c.json -e "$script" | grep -c hunter2; codemode run -q --mcp c.json -e "$script" 2>&1 | tail -1
> 0
> ["[secret API_TOKEN]",""]

== print by print: held until it is no secret
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_TOKEN":"hunter2-hunter2"}}}}' >c.json
$ codemode run -q --mcp c.json -e 'await tools.s.cwd({}); text("a hunter2-"); text("hunter2 b"); for (const c of "hunter2-") text(c); text("x"); return "hunter2"' | tr '\n' ,
$ codemode run -q --mcp c.json -e 'await tools.s.cwd({}); text("hunter2-"); file("a.txt", "text/plain", "x"); return "hunter2"' 2>/dev/null
$ codemode run -q --mcp c.json -e 'await tools.s.cwd({}); text("hunter2-"); return "Hunter2"'
> a [secret API_TOKEN], b,h,u,n,t,e,r,2,-,x,"hunter2",[secret API_TOKEN]
> ""
> hunter2-
> "Hunter2"

== print by print, on stdout and stderr in turn
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_TOKEN":"hunter2-hunter2"}}}}' >c.json
$ codemode run -q --mcp c.json -e 'await tools.s.cwd({}); text("hunter2-"); console.error("between"); text("hunter2"); console.log("hunt"); text("between"); console.log("er2-hunter2")'
$ codemode run -q --mcp c.json -e 'await tools.s.cwd({}); text("hunter2-"); console.error("hunter2"); text("x")'
> [secret API_TOKEN]
>
> between
> [secret API_TOKEN]
> x
! between
! \[secret API_TOKEN\]
!
!

== in a warning
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"API_TOKEN":"hunter2-hunter2"}}}}' >c.json
$ codemode run -q --mcp c.json -e 'await tools.s.cwd({}); Promise.reject(Error("hunter2-" + "hunter2")); return 1'
> 1
! codemode: warning: *: Error: \[secret API_TOKEN\]
!...

== a secret of several lines, line by line; in an error; in a trace
$ printf '%s' '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"PRIVATE_KEY":"-----BEGIN\nMIIEv\n-----END"}}}}' >c.json
$ script='await tools.s.cwd({}); text("-----BEGIN"); text("MIIEv"); text("-----END"); throw Error("MIIEv\n-----END".replace(/^/, "-----BEGIN\n"))'
$ codemode run -q --mcp c.json --trace t -e "$script"; grep '"print"' t/* | grep -c 'MIIEv\|END"'
> [secret PRIVATE_KEY]
>
>
> 0
= 1
! codemode: line 1, column *: Error: \[secret PRIVATE_KEY\]
!...

== passwords of proxies and tokens in addresses
$ echo '{"mcpServers":{"s":{"command":"'"$SERVER"'","env":{"DB":"postgres://me:pass%2Fword@db/x","API":"http://x/?page=abcdefghij&tavilyApiKey=abcdefghijk"}}}}' >c.json
$ https_proxy=http://me:proxy-pass@localhost:1 codemode run -q --mcp c.json -e 'text(await tools.s.env({ name: "DB" })); text(await tools.s.env({ name: "API" })); return "proxy" + "-pass"'
> postgres://me:[secret DB]@db/x
> http://x/?page=abcdefghij&tavilyApiKey=[secret API]
> "[secret https_proxy]"
