// fence: wall -- finalizers that would run after the end are not heard
const registry = new FinalizationRegistry(() => { text("late"); tools.echo("late"); for (;;); });
for (let i = 0; i < 10000; i++) registry.register({ i }, i);
exit();
// calls: 
// => undefined
// quickjs: it has no weak references
