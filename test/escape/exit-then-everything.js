// fence: environment -- after exit() nothing that the script does is heard
const late = async () => { for (let i = 0; i < 10; i++) { await null; text("late"); store("late", 1); tools.echo("late"); } };
late();
setTimeout(() => text("timer"), 0);
text("before");
try { exit(); } catch { text("after"); store("k", 1); await tools.echo("after"); console.log("more"); } finally { text("finally"); tools.echo("finally"); }
for (;;);
// text: before
// calls: 
// writes: {"set":{},"delete":[]}
// => undefined
