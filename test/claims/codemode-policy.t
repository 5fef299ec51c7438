# What codemode-policy(1) says, tried. The tools of the test server say that they only read.

" Starts the servers and prints a line for each of their tools: allow, ask or deny, the tool, and the rule that says so.
== a list
$ codemode policy -q --mcp-server "s=$SERVER" --deny 's.e*' --ask s.sleep | grep -v 'only reads'
> deny   s.echo: --deny s.e*
> deny   s.env: --deny s.e*
> ask    s.sleep: --ask s.sleep

" With --json it is an array of objects with server, tool, policy and why.
== JSON
$ codemode policy -q --json --mcp-server "s=$SERVER" --deny s.echo | head -1
> [{"server":"s","tool":"echo","policy":"deny","why":"--deny s.echo"},

" The rules are the options --allow, --ask, --deny and --read-only and those of a policy file, which is a JSON object, with comments if you like:
== a file
$ printf '{ // mine\n"allow": ["s.echo"], "ask": ["s"], "deny": ["*.b*"],}' >p.json; codemode policy -q --policy p.json --mcp-server "s=$SERVER" | grep 'echo\|big\|cwd'; codemode policy -q --read-only --mcp-server "s=$SERVER" | grep -c allow
> allow  s.echo: p.json: allow s.echo
> ask    s.cwd: p.json: ask s
> deny   s.big: p.json: deny *.b*
> 9

" An unknown member ends the command, because it could be meant as a restriction.
== another member
$ echo '{"denied": []}' >p.json; codemode policy -q --policy p.json --mcp-server "s=$SERVER"; codemode run -q --policy none.json -e 'return 1'; echo '[1]' >p.json; codemode run -q --policy p.json -e 'return 1'; codemode run -q --deny '' -e 'return 1'; codemode run -q --deny @all -e 'return 1'
! codemode: p.json: "denied": write allow, ask or deny, each an array of texts, or trust, an object of server names with true or false
! codemode: the policy none.json cannot be read: No such file or directory
! codemode: p.json: a policy is an object
! codemode: --deny "": a pattern is empty: write server.tool, server, *.delete_* or @destroys
! codemode: --deny "@all": there is no such class: write @reads, @destroys or @unknown
= 2

" trust says for a server, or for all others (*), whether its claim that a tool only reads counts. Its claim that a tool destroys always counts.
== a server that is not trusted
$ echo '{"trust": {"s": false}, "ask": ["unknown"]}' >p.json; codemode policy -q --policy p.json --mcp-server "s=$SERVER" --mcp-server "r=$SERVER" --mcp-server "d=$SERVER --destroys" | grep echo; echo '{"trust": {"*": false, "s": true}}' >p.json; codemode policy -q --policy p.json --mcp-server "s=$SERVER" --mcp-server "r=$SERVER" --mcp-server "d=$SERVER --destroys" | grep echo; echo '{"trust": ["s"]}' >p.json; codemode policy -q --policy p.json
> ask    s.echo: p.json: ask unknown (its word that it only reads does not count)
> allow  r.echo: it says that it only reads
> ask    d.echo: it says that it may overwrite or delete
> allow  s.echo: it says that it only reads
> allow  r.echo: no rule names it (its word that it only reads does not count)
> ask    d.echo: it says that it may overwrite or delete
! codemode: p.json: "trust": write allow, ask or deny, each an array of texts, or trust, an object of server names with true or false
= 2

" A rule that denies wins over all others. Of the others the most specific one wins: one tool, then a pattern, then a server, then a class (reads, destroys, unknown, also with @ before it). Of two equally specific ones the one that asks wins.
== which rule wins
$ codemode policy -q --mcp-server "s=$SERVER" --allow s.echo --deny s.echo --ask @reads --allow s.hold --allow 's.h*' --ask s.h*ng --ask s.cwd --allow s.cwd --deny s.big | grep 'echo\|hold\|hang\|cwd\|env'
> deny   s.echo: --deny s.echo
> ask    s.env: --ask @reads
> ask    s.cwd: --ask s.cwd
> ask    s.hang: --ask s.h*ng
> allow  s.hold: --allow s.hold

" Tools that no rule names are allowed, except those that say that they destroy, which are asked about.
== the default
$ codemode policy -q --mcp-server "s=$SERVER --destroys" --mcp-server "d=$SERVER --destroys" --mcp-server "r=$SERVER" --mcp-server "u=$SERVER --last-words" --allow d --ask unknown | grep 'echo\|die'; codemode policy -q --mcp-server "u=$SERVER --last-words" | grep die
> ask    s.echo: it says that it may overwrite or delete
> allow  d.echo: --allow d
> allow  r.echo: it says that it only reads
> allow  u.echo: it says that it only reads
> ask    u.die: --ask unknown
> allow  u.die: no rule names it

" A tool that is denied does not exist for a script.
== denied
$ codemode run -q --mcp-server "s=$SERVER" --deny s.echo -e 'return ["echo" in tools.s, "env" in tools.s, ALL_TOOLS.length]'
> [false,true,8]
$ codemode run -q --mcp-server "s=$SERVER" --deny s.echo -e 'await tools.s.echo({})' 2>err; echo $?; grep -c 'tools.s.echo does not exist\|has no tool' err
> 1
> 1

== denied, by what its server says of it only while the script runs
$ cat >t.js <<'END'
$ await tools.s.echo({});
$ for (let i = 0; i < 200; i++) {
$ 	try { await tools.s.echo({}) } catch (e) { return [e.code, e.message] }
$ 	await codemode.sleep(20);
$ }
$ END
$ codemode run -q --deny @destroys --log l --mcp-server "s=$SERVER --turns --log log" t.js; grep -c '"decision":"denied"' l; codemode run -q --ask @destroys --mcp-server "s=$SERVER --turns" t.js </dev/null
> ["NotAllowed","s.echo is not allowed: --deny @destroys"]
> 1
> ["NotAllowed","s.echo is not allowed: --ask @destroys, and no person can be asked; to allow it: --allow 's.echo', or \"allow\": [\"s.echo\"] in the policy file, or --yes"]

" The person is asked once for a script, before its first call: codemode run asks on the terminal, codemode serve through its client, when that can ask its person (elicitation). The question lists the calls that the script can make, with their arguments as the script writes them. A yes covers these calls: constant arguments must stay as they are, computed ones may have any value. Any other call is asked about when it happens; with --ask-each each call is.
== asked on a terminal; cli/ask.mjs has the client that asks
$ ask() { script -qec "codemode run -q $2 --mcp-server 's=$SERVER' --ask s.echo -e 'const one = await tools.s.echo({ a: 1 }); return \"got \" + one.a + (await tools.s.echo({ a: 2 })).a + (await tools[\"s\"][\"ec\" + \"ho\"]({ a: 9 })).a'" /dev/null <"$1" | tr -d '\r' | grep -o 'got [0-9][0-9]*\|^- s.echo.*\|call s.echo.*\|is not allowed: .*'; }
$ echo y >y; echo n >n; echo s >s; ask y; ask n; ask s --ask-each
> - s.echo({"a":1}) in line 1: --ask s.echo
> - s.echo({"a":2}) in line 1: --ask s.echo
> call s.echo({"a":9}): --ask s.echo. Allow it?
> is not allowed: --ask s.echo, and the person said no (tools.s.echo)
> - s.echo({"a":1}) in line 1: --ask s.echo
> - s.echo({"a":2}) in line 1: --ask s.echo
> is not allowed: --ask s.echo, and the person said no (tools.s.echo)
> call s.echo({"a":1}): --ask s.echo. Allow it?
> got 129

" Where no person can be asked, the call is refused, and the script gets an Error with the code "NotAllowed".
== no person to ask
$ codemode run -q --mcp-server "s=$SERVER" --ask s.echo -e 'try { await tools.s.echo({}) } catch (e) { return [e.code, e.message] }' </dev/null; codemode run -q --mcp-server "s=$SERVER" --ask s.echo --yes -e 'return await tools.s.echo({ a: 1 })'
> ["NotAllowed","s.echo is not allowed: --ask s.echo, and no person can be asked; to allow it: --allow 's.echo', or \"allow\": [\"s.echo\"] in the policy file, or --yes"]
> {"a":1}

" The answer "always" is kept until the definition of the tool changes.
== always
$ export XDG_STATE_HOME="$PWD/state"; run() { codemode run -q --mcp-server "s=$SERVER $1" --ask s.echo -e 'return await tools.s.echo({ a: 1 })'; }
$ printf 'a\n' | script -qec "codemode run -q --mcp-server 's=$SERVER' --ask s.echo -e 'return await tools.s.echo({})'" /dev/null >out; run </dev/null; run --destroys </dev/null 2>err; grep -c 'no person can' err; run </dev/null
> {"a":1}
> 1
> {"a":1}

== an answer holds under the key of its file alone
$ export XDG_STATE_HOME="$PWD/state"; run() { codemode run -q --mcp-server "s=$SERVER" --ask s.echo -e 'return await tools.s.echo({ a: 1 })' </dev/null; }
$ printf 'a\n' | script -qec "codemode run -q --mcp-server 's=$SERVER' --ask s.echo -e 'return await tools.s.echo({})'" /dev/null >out; run; grep -Ecx '[0-9a-f]{64}' state/codemode/always; sed -i '1y/0123456789abcdef/123456789abcdef0/' state/codemode/always; run 2>err; grep -c 'no person can' err
> {"a":1}
> 1
> 1

" With --dry-run only tools that say that they only read are called. Each other call becomes a warning of the result, in order and with its arguments, and the script gets a value that fits the tool's output schema, or null.
== a dry run
$ codemode run -q --dry-run --mcp-server "r=$SERVER" --mcp-server "d=$SERVER --destroys --log log" -e 'const a = await tools.r.echo({ n: 1 }); return [a, await tools.d.echo({ n: 2 }), await tools.d.sleep({ ms: 1 })]'; grep -c tools/call log
> [{"n":1},null,null]
> 0
! codemode: warning: dry run: d.echo({"n":2}) was not called
! codemode: warning: dry run: d.sleep({"ms":1}) was not called
= 1

== a dry run makes no other call, also when the person allows those of the script
$ echo y >y; script -qec "codemode run -q --dry-run --mcp-server 'r=$SERVER' --mcp-server 'd=$SERVER --destroys --log log' --ask r.echo -e 'await tools.r.echo({ n: 1 }); await tools.d.echo({ n: 2 })'" /dev/null <y | tr -d '\r' | grep -o '^- .*\|warning: dry.*'; grep -c tools/call log
> - r.echo({"n":1}) in line 1: --ask r.echo
> warning: dry run: d.echo({"n":2}) was not called
> 0
= 1

" $XDG_CONFIG_HOME/codemode/policy.json (~/.config without the variable) is read without --policy, if it is there.
== the person's own file
$ mkdir -p c/codemode h/.config/codemode; echo '{"deny": ["s.echo"]}' >c/codemode/policy.json; cp c/codemode/policy.json h/.config/codemode; export XDG_CONFIG_HOME="$PWD/c"; codemode policy -q --mcp-server "s=$SERVER" | grep -c deny; unset XDG_CONFIG_HOME; HOME="$PWD/h" codemode policy -q --mcp-server "s=$SERVER" | grep -c deny
> 1
> 1

" $XDG_STATE_HOME/codemode/always (~/.local/state without the variable) lists the tools with the answer "always"; only its owner may read it.
== others may read it
$ export XDG_STATE_HOME="$PWD/state"; run() { codemode run -q --mcp-server "s=$SERVER" --ask s.echo -e 'return await tools.s.echo({ a: 1 })' </dev/null; }
$ printf 'a\n' | script -qec "codemode run -q --mcp-server 's=$SERVER' --ask s.echo -e 'return await tools.s.echo({})'" /dev/null >out; stat -c %a state/codemode/always; run; chmod 644 state/codemode/always; run 2>err; grep -c 'no person can' err
> 600
> {"a":1}
> 1

" 0 when a server came up, 2 wrong usage or a file that cannot be used, 4 stopped by a signal, 6 no server came up, 7 standard output could not be written.
== exit codes
$ code() { codemode policy -q "$@" >out 2>&1; echo $?; }
$ code --mcp-server "s=$SERVER"; code --mcp no.json; code x; code --mcp-server "s=$SERVER --die x"; codemode policy -q --mcp-server "s=$SERVER" 2>/dev/null >/dev/full; echo $?
> 0
> 2
> 2
> 6
> 7
