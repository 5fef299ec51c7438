// fence: environment -- exit() in the options of a call makes no call
tools.echo(1, { get timeoutMs() { try { exit(); } catch {} return 1000; } });
await tools.echo(2);
// calls: 
// => undefined
