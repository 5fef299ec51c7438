// fence: limits -- a returned value over its limit is the script's error
return "x".repeat(17 << 20);
// !! RangeError *:* too large
// code: ValueLimit
