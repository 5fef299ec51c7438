// fence: environment -- exit() in the middle of reading arguments makes no call
const leave = () => { try { exit(); } catch {} };
try { await tools.echo({ get a() { leave(); return 1; } }, { get signal() { leave(); return undefined; } }); } catch {}
// calls: 
// => undefined
