# What codemode-status(1) says, tried.

" Prints a line for each server at a URL, and for each other one that a login is kept of: where it is logged in, how long its token is good, whether it is renewed by itself, and its scope. No token and no secret is printed.
== three of them
$ export HOME=$PWD XDG_STATE_HOME=$PWD/state; t=state/codemode/tokens; mkdir -p $t; echo '{"mcpServers":{"a":{"url":"https://a.invalid/mcp"},"b":{"url":"https://b.invalid/mcp"},"d":{"url":"https://d.invalid/mcp","headers":{"authorization":"Bearer x"}},"e":{"url":"https://e.invalid/mcp","oauth":false}}}' >c.json
$ keep() { n=$t/${1#https://}; n=${n%/mcp}-$(printf %s "$1" | sha256sum | cut -c 1-32).json; echo "{\"server\":\"$1\",\"issuer\":\"https://as.invalid\",\"access\":\"hidden\",$2}" >$n; chmod 600 $n; }
$ keep https://a.invalid/mcp '"refresh":"hidden too","scope":"r w","expires":9999999999'; keep https://c.invalid/mcp '"expires":1000'
$ codemode status --mcp c.json
~ a (https://a.invalid/mcp): logged in at https://as.invalid, a token for * min that is renewed by itself, scope "r w"
> b (https://b.invalid/mcp): no login
> d (https://d.invalid/mcp): its configuration has a token
> e (https://e.invalid/mcp): its configuration says that it has no login
> https://c.invalid/mcp: logged in at https://as.invalid, an expired token

" With --json it prints an array of objects with name, url, token (is there one?), renewed, and, where they are known, issuer, scope, expires (seconds since 1970), instead (what its configuration has in place of a login) and error (why the file cannot be used).
== for programs
$ export HOME=$PWD XDG_STATE_HOME=$PWD/state; t=state/codemode/tokens; mkdir -p $t; n=$t/a.invalid-$(printf https://a.invalid/mcp | sha256sum | cut -c 1-32).json; echo '{"server":"https://a.invalid/mcp","issuer":"https://as.invalid","access":"hidden"}' >$n; chmod 600 $n
$ echo '{"mcpServers":{"d":{"url":"https://d.invalid/mcp","bearerToken":"x"}}}' >c.json; codemode status --mcp c.json --json d; codemode status --json https://a.invalid/mcp; chmod 640 $n; codemode status --json https://a.invalid/mcp
> [{"name":"d","url":"https://d.invalid/mcp","token":false,"renewed":false,"instead":"its configuration has a token"}]
> [{"name":"https://a.invalid/mcp","url":"https://a.invalid/mcp","token":true,"renewed":false,"issuer":"https://as.invalid"}]
> [{"name":"https://a.invalid/mcp","url":"https://a.invalid/mcp","token":false,"renewed":false,"error":"others can read or write it: chmod 600"}]

" 0, also when there is no login; 2 wrong usage.
== exit codes
$ export HOME=$PWD XDG_STATE_HOME=$PWD/state; codemode status 2>err; echo $?; codemode status a b 2>err; echo $?
> 0
> 2
