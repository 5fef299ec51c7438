// fence: environment -- causes in a circle, and errors in errors in errors, come to an end
const e = new AggregateError([], "top");
e.cause = e;
e.errors = Array.from({ length: 1000 }, () => e);
throw e;
// !! AggregateError *:* top
// kind: script
