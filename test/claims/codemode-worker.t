# What codemode-worker(1) says, tried.

" Standard output has nothing but the protocol.
" Standard input must be a pipe or a socket.
" 0 when standard input was closed, 2 wrong usage, or standard input is no pipe and no socket.
== its exit codes
$ worker=$(dirname "$(readlink -f "$(command -v codemode)")")/codemode-worker
$ : | "$worker" --stdio | head -c 5 | wc -c; : | "$worker" --stdio >out; echo $?; "$worker" --stdio <out 2>err; echo $?; cat err
$ "$worker" --stdio --max-time 0 </dev/null 2>/dev/null; echo $?; "$worker" --stdio --max-time 5x </dev/null 2>/dev/null; echo $?; "$worker" 2>/dev/null; echo $?
> 5
> 0
> 2
> codemode-worker --stdio: standard input must be a pipe or a socket: Operation not permitted
> 2
> 2
> 2

" A script gets the smaller of what the other side asks for and what these allow. When it reaches one of them, its error names that number.
" Memory for the values of a script.
" Interrupt checks of a script.
" Milliseconds for a script, waiting for tools included.
== the smaller limit
$ worker="cmd:'$(dirname "$(readlink -f "$(command -v codemode)")")/codemode-worker' --stdio"
$ codemode run -q --place "$worker --max-time 200" -e 'for (;;);' 2>&1; codemode run -q --place "$worker --max-time 200" -e 'await codemode.sleep(1e7)' 2>&1; codemode run -q --timeout 150 --place "$worker --max-time 60000" -e 'for (;;);' 2>&1
$ codemode run -q --place "$worker --max-polls 20" -e 'for (;;);' 2>&1; codemode run -q --place "$worker --max-memory 4000000" -e 'const a = []; for (;;) a.push(String(a.length).repeat(500))' 2>&1 | grep -o 'out of memory'
~ codemode: *200 ms*
~ codemode: *200 ms*
~ codemode: *150 ms*
~ codemode: *20
> out of memory
