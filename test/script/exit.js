//// exit ends the run well
text("a");
exit();
text("b");
// text: a
// => undefined
//// its argument is ignored
exit(5);
// => undefined
//// nothing after exit is printed even when it is caught
try {
	exit();
} catch (e) {
	text("caught");
}
text("after");
return 1;
// => undefined
//// finally blocks run silently
try {
	text("in");
	exit();
} finally {
	text("finally");
}
// text: in
// => undefined
//// from a nested function
function deep(n) {
	if (!n) exit();
	deep(n - 1);
}
deep(20);
return "no";
// => undefined
//// from a callback
[1, 2, 3].forEach((n) => {
	text(n);
	if (n === 2) exit();
});
// text: 1
// text: 2
// => undefined
//// from a function that nothing awaits
(async () => {
	await null;
	exit();
})();
await tools.hang();
return "no";
// => undefined
// calls: hang unstarted
// warning: 1 call of tools.hang never began: exit() ended the script first
//// after an await
await tools.echo(1);
exit();
// => undefined
// calls: echo ok
//// pending calls are cancelled
tools.hang();
await tools.echo(1);
exit();
// => undefined
// calls: hang cancelled, echo ok
// warning: 1 call of tools.hang was stopped halfway
//// what was stored is written
store("k", 1);
exit();
// => undefined
// writes: {"set":{"k":1},"delete":[]}
//// a loop that catches exit ends too
for (;;) {
	try {
		exit();
	} catch {}
}
// => undefined
// within: 2000
//// a store after exit counts for nothing
try { exit(); } catch {}
store("late", 1);
// => undefined
// writes: {"set":{},"delete":[]}
//// a throw after a caught exit does not matter
try { exit(); } catch {}
throw new Error("late");
// => undefined
//// exit inside a promise chain
await Promise.resolve().then(() => exit());
return "no";
// => undefined
//// exit drops a value, and says so
exit({ found: 3 });
// => undefined
// warning: exit() takes no value
//// a number is an exit status
exit(0);
// => undefined
