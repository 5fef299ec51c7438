# Wrong ways to call the command: each names what is wrong and what to do.

== nothing
$ codemode
! usage: codemode COMMAND *
!...
= 2

== help
$ codemode --help | head -1; codemode run --help | head -1; codemode tools -h | head -1
> usage: codemode COMMAND [options] ...
> usage: codemode run [options] [FILE|-] [NAME=VALUE]...
> usage: codemode tools [options] [QUESTION]

== every option is in the help
$ codemode run --help | sed -n 's/^ *\(-., \)*--\([a-z-]*\).*/\2/p' | xargs
> eval mcp mcp-server scripts startup-timeout no-check learn allow ask deny read-only yes ask-each dry-run policy quiet json store data record log log-size trace otlp place session engine require-fences raw timeout memory max-calls concurrency server-concurrency tool-concurrency max-output-tokens help

== version
$ codemode --version
~ codemode [0-9]*.[0-9]*.[0-9]*

== logins
$ codemode login; codemode logout; codemode login a b; codemode login --port 70000 a
! codemode: login: which server? Give its name or its URL
! codemode: logout: which server? Give its name or its URL
! codemode: login: one server at a time
! codemode: login: --port: the highest is 65535
= 2

== unknown command
$ codemode rum
! codemode: there is no command rum; did you mean run?
! codemode: try: codemode --help
= 2

== unknown option of the program
$ codemode --verison
! codemode: there is no option --verison*
!...
= 2

== unknown option, with the nearest
$ codemode run --tiemout 3 -e 'return 1'
! codemode: there is no option --tiemout; did you mean --timeout?
! codemode: try: codemode run --help
= 2

== unknown letter
$ codemode run -x
! codemode: there is no option -x
!...
= 2

== an option without its value
$ codemode run -e
! codemode: run: --eval wants a value behind it
= 2

== a flag with a value
$ codemode run --json=yes -e 'return 1'
! codemode: run: --json takes no value
= 2

== numbers that are none
$ codemode run --timeout 0 -e 1; codemode run --timeout 1.5 -e 1; codemode run --timeout -5 -e 1; codemode run --max-calls many -e 1; codemode run --memory 64Q -e 1; codemode run --concurrency 99999999999999999999999 -e 1; codemode run --timeout= -e 1
! codemode: run: --timeout 0: must be a whole number from 1, or none
! codemode: run: --timeout 1.5: must be a whole number from 1, or none
! codemode: run: --timeout -5: must be a whole number from 1, or none
! codemode: run: --max-calls many: must be a whole number from 1, or none
! codemode: run: --memory 64Q: must be a number of bytes from 1, such as 65536 or 64M, or none
! codemode: run: --concurrency 99999999999999999999999: must be a whole number from 1, or none
! codemode: run: --timeout : must be a whole number from 1, or none
= 2

== two scripts
$ codemode run a.js b.js; codemode run -e 'return 1' a.js
! codemode: run: one script at a time, please: "b.js" is one too many
! codemode: run: one script at a time, please: "a.js" is one too many
= 2

== a file that is not there, and a folder
$ codemode run no.js; codemode run .; codemode run ''
! codemode: no.js: the script cannot be read: No such file or directory
! codemode: .: the script cannot be read: Is a directory
! codemode: : the script cannot be read: No such file or directory
= 2

== tools without servers
$ codemode tools; codemode types; codemode types x
! codemode: no servers were found: give --mcp FILE
! codemode: no servers were found: give --mcp FILE
! codemode: types: what is "x"? There are only options here
= 2

== a server without a command
$ codemode run -e 1 --mcp-server x; codemode run -e 1 --mcp-server =y; codemode run -e 1 --mcp-server x=
! codemode: --mcp-server x: must be NAME=COMMAND, as in --mcp-server files='npx some-server'
! codemode: --mcp-server =y: must be NAME=COMMAND, *
! codemode: --mcp-server x=: must be NAME=COMMAND, *
= 2

== the completion is bash
$ codemode __completion >c && bash -n c && bash -c '. ./c; COMP_WORDS=(codemode run --ti); COMP_CWORD=2; _codemode; echo "${COMPREPLY[@]}"'
> --timeout

== a server's name that is not UTF-8
$ codemode run -e 1 --mcp-server "$(printf 'a\377=x')"
! codemode: --mcp-server *: is not UTF-8
= 2

== an option that counts once
$ codemode run -e 1 -e 2; codemode run --place inline --place process -e 1; codemode check -e 1 --eval 2
! codemode: run: --eval is given twice
! codemode: run: --place is given twice
! codemode: check: --eval is given twice
= 2

== fences cannot be asked for where there are none
$ codemode run --place inline --require-fences -e 'return 1'
! codemode: run: --require-fences asks for --place process: inline has none
= 2

== an engine that is none
$ codemode run --engine v8 -e 'return 1'
! codemode: run: --engine takes quickjs, evaluator or auto, not "v8"
= 2

== help that cannot be written
$ codemode --help >/dev/full; echo $?; codemode run --help >/dev/full; echo $?; codemode --version >/dev/full; echo $?
> 7
> 7
> 7
! codemode: stdout cannot be written: No space left on device
! codemode: stdout cannot be written: No space left on device
! codemode: stdout cannot be written: No space left on device
