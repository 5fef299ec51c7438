//// digits behind a tie (doc/engine.md)
const tie = "9007199254740993.0000000000000000000000000000000000000001";
return [9007199254740993.0000000000000000000000000000000000000001, Number(tie), parseFloat(tie), 9007199254740993.0001];
// => [9007199254740992,9007199254740992,9007199254740992,9007199254740994]
//// JSON reads them right
const tie = "9007199254740993.0000000000000000000000000000000000000001";
return [JSON.parse(tie), JSON.parse("[0.500000000000000166533453693773481063544750213623046875]")[0]];
// => [9007199254740994,0.5000000000000002]
//// digits in another base
return [(1e21).toString(36), (123456789012345680000).toString(7), (2 ** 40 + 0.5).toString(2)];
// => ["5v1j4f4ds7a000","434014101441402123000000","10000000000000000000000000000000000000000.1"]
//// dates that are read otherwise
return ["2020-01-01t00:00:00Z", "2020-01-01T00:00:00z", "2020-01-01T00:00:00,123Z", "Jan 32 2020 UTC"].map(Date.parse);
// warning: is NaN
// => [null,null,1577836800123,1577836800000]
//// a stack hook can be set, and has no effect
Error.prepareStackTrace = () => "mine";
return [typeof Error.prepareStackTrace, new Error("x").stack.includes("codemode.js:2")];
// => ["function",true]
