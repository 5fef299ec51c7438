// fence: environment -- a thenable that never settles is a stalled script, told so
return { then() {} };
// !! * *:* nothing can settle
// code: Stalled
