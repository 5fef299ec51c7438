# What codemode-logout(1) says, tried.

" Removes the tokens of a server, and the registration of the client, from this machine. The server is not told.
== a file of tokens
$ export HOME=$PWD XDG_STATE_HOME=$PWD/state; codemode logout https://x.invalid/mcp 2>err; cat err; t=state/codemode/tokens; mkdir -p $t
$ name=x.invalid-$(printf https://x.invalid/mcp | sha256sum | cut -c 1-32).json; echo '{"server":"https://x.invalid/mcp","access":"abc"}' >$t/$name; chmod 600 $t/$name
$ codemode logout https://x.invalid/mcp 2>err; cat err; ls $t
> codemode: https://x.invalid/mcp: there was no login
> codemode: https://x.invalid/mcp: logged out

" 0 when nothing is kept any more, also when nothing was; 2 wrong usage, 7 when the file cannot be removed.
== exit codes
$ export HOME=$PWD XDG_STATE_HOME=$PWD/state; code() { codemode logout "$@" 2>err; echo $?; }
$ code https://x.invalid/mcp; code; XDG_STATE_HOME=/dev/null code https://x.invalid/mcp
> 0
> 2
> 7
