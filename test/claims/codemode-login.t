# What codemode-login(1) says, tried. Logins at a real authorization server are
# in test/oauth.

" From then on codemode run and codemode serve can use the server; they never open a browser, but renew the tokens when they expire, also in the middle of a script.
" Processes that renew the same token take turns.
" The page is opened with xdg-open, or what BROWSER says, and its address is always printed. The browser comes back to a port of 127.0.0.1.
" codemode asks the server where to log in, and registers itself there if that is allowed.
" Otherwise give the clientId (and clientSecret) of a registered client in the member oauth of the server's entry.
" A login that is refused, or that a server does not offer, changes nothing of what is kept.
== all of it: test/oauth
$ exit 0

" NAME is a server of the configuration, URL the address of any server.
" 0 when the login is done, 2 wrong usage, 4 stopped by a signal, 6 when there was no login: the message says why.
== wrong ones
$ export HOME=$PWD XDG_STATE_HOME=$PWD/state; echo '{"mcpServers":{"s":{"command":"true"}}}' >c.json
$ code() { codemode login "$@" 2>err; echo $?; }
$ code --mcp c.json s; code --mcp c.json t; code; code http://127.0.0.1:1/mcp; cat err
> 2
> 2
> 2
> 6
~ codemode: http://127.0.0.1:1/mcp: http://127.0.0.1:1/mcp does not answer: *

