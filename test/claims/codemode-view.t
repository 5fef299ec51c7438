# What codemode-view(1) says, tried. What is seen on the page: test/view/browser.mjs.

" Makes one HTML page from FILE, which --trace of codemode-run(1) or codemode-serve(1), or --record of codemode-run(1), has written. If that program was killed, the page shows what happened until then.
== a trace, a record, and the beginning of a trace
$ codemode run -q --trace d --mcp-server "s=$SERVER" -e 'return await tools.s.echo({ a: "seen" })'; codemode run -q --record r -e 'return "seen"'; codemode view -o a.html d/*.json; codemode view -o b.html r; head -c 1500 d/*.json >cut; codemode view -o c.html cut; grep -c 'id="data">.*seen' a.html b.html c.html; head -1 a.html
> {"a":"seen"}
> "seen"
> a.html:1
> b.html:1
> c.html:1
> <!doctype html>

" The page shows on a time line when the script computed, each call in a lane of its server, how long calls waited, and what failed, was refused, was stopped or never began. A click on a call, or the arrow keys, show its arguments, its result and its line in the script; a click on a line shows its calls. The page loads no other file. It has light and dark colours and uses those that the browser prefers.
== no host is named
$ codemode run -q --trace d -e 'return 1'; codemode view -o - d/*.json >a.html; grep -o "default-src 'none'" a.html; grep -c 'https\?:' a.html | tr -d '\n'; echo; grep -o 'prefers-color-scheme: dark' a.html
> 1
> default-src 'none'
> 0
> prefers-color-scheme: dark

" Without --output the page is a new file in the folder TMPDIR, or /tmp, which only its owner may read; xdg-open, or the program that BROWSER names, opens it.
== the browser gets the page
$ codemode run -q --trace d -e 'return 1'; mkdir t; TMPDIR=$PWD/t BROWSER='stat -c %a:%n' codemode view d/*.json | sed "s|$PWD||; s/view-....../view-XXXXXX/"; TMPDIR=$PWD/t BROWSER=no-such-browser codemode view d/*.json
> 1
> 600:/t/codemode-view-XXXXXX.html
! codemode: the page is */t/codemode-view-*.html
! codemode: the page is */t/codemode-view-*.html
! codemode: there is no browser here: open it elsewhere

" Perfetto opens files of --trace, too; doc/format/trace.md describes them.
== what Perfetto needs: one object with traceEvents, each with a phase and a process
$ codemode run -q --trace d --mcp-server "s=$SERVER" -e 'await tools.s.echo({}); return 1'; head -1 d/*.json | grep -o '"traceEvents":\['; sed 1d d/*.json | grep -v '^]}$' | grep -vc '"ph":"[MXBEbei]","pid":1[,}]' | tr -d '\n'; echo
> 1
> "traceEvents":[
> 0

" 0 when the page was written, 2 wrong usage or a file that neither --trace nor --record wrote, 7 the page could not be written. Without --output it is the exit status of the browser.
== exit codes
$ codemode run -q --trace d -e 'return'; echo '{"a":1}' >bad; code() { codemode "$@" >out 2>err; echo $?; }; code view -o o d/*.json; code view; code view d/*.json d; code view bad; code view none; code view -o /no/such/o d/*.json; codemode view -o - d/*.json >/dev/full 2>err; echo $?; BROWSER=false code view d/*.json
> 0
> 2
> 2
> 2
> 2
> 7
> 7
> 1
