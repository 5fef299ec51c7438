//// a tool is found by words
const [hit] = codemode.search("create an issue");
return [hit.path, hit.name, hit.namespace, hit.description, hit.signature, typeof hit.score];
// options: {"with":[["git-hub","createIssue"],["git-hub","list_issues"]]}
// => ["git_hub.createIssue","createIssue","git_hub","","tools.git_hub.createIssue(args?: unknown): Promise<unknown>","number"]
//// what it found can be called
const { namespace, name } = codemode.search("create an issue")[0];
return (await tools[namespace][name](1)).args;
// options: {"with":[["git-hub","createIssue"],["git-hub","list_issues"]]}
// => 1
//// no await is needed, and none is wrong
return (await codemode.search("issue")).length;
// options: {"with":[["a","createIssue"],["b","list_issues"]]}
// => 2
//// only a namespace, by either name
return ["git-hub", "git_hub"].map((namespace) => codemode.search("issue", { namespace }).map((h) => h.path));
// options: {"with":[["git-hub","list_issues"],["b","list_issues"]]}
// => [["git_hub.list_issues"],["git_hub.list_issues"]]
//// at most so many
return [1, 2, 100].map((limit) => codemode.search("issue", { limit }).length);
// options: {"with":["issue_a","issue_b","issue_c"]}
// => [1,2,3]
//// an empty question lists
return codemode.search("", { namespace: "b" }).map((h) => h.path);
// options: {"with":[["a","x"],["b","z"],["b","y"]]}
// => ["b.y","b.z"]
//// nothing matches: a warning has the nearest words
return codemode.search("list_isues qwertz asdfgh");
// options: {"with":["issues"]}
// warning: codemode.search("list_isues qwertz asdfgh"): nothing matches; nearest words are
// => []
//// nothing is near either
return codemode.search("xyzzy");
// warning: codemode.search("xyzzy"): nothing matches in 10 tools; ALL_TOOLS lists them
// => []
//// a namespace that is not there
codemode.search("x", { namespace: "nope" });
// !! RangeError 1:* codemode.search("x"): there is no such namespace
//// what it takes
const told = [];
for (const args of [[], [1], ["a", { limit: 0 }], ["a", { limit: "2" }], ["a", { namespace: 1 }], ["a", { top: 1 }]])
	try {
		codemode.search(...args);
	} catch (e) {
		told.push(e.name);
	}
return told;
// => ["TypeError","TypeError","RangeError","RangeError","TypeError","TypeError"]
//// a script may search 1,000 times
let n = 0;
try {
	for (;;)
		codemode.search("echo"), n++;
} catch (e) {
	return [n, e.message];
}
// => [1000,"codemode.search(\"echo\"): a script may search 1,000 times"]
//// a tool is described, by its name as it is written or found
const names = ["echo", "tools.echo", codemode.search("echo")[0]];
return names.map((n) => codemode.describe(n)).map((d) => [d.name, d.path, d.description, d.declaration.includes("echo(")]);
// => [["echo","echo","Gives back its arguments",true],["echo","echo","Gives back its arguments",true],["echo","echo","Gives back its arguments",true]]
//// schemas are there, and are not printed with the rest
const d = codemode.describe("add");
return [Object.keys(d), Object.getOwnPropertyNames(d).slice(-2)];
// => [["name","path","description","signature","declaration"],["inputSchema","outputSchema"]]
//// a tool that is not there has near names
codemode.describe("tools.ehco");
// !! TypeError 1:* tools.ehco does not exist. Did you mean tools.echo?
//// describe takes a name
codemode.describe(7);
// !! TypeError 1:* codemode.describe(tool) takes the name of a tool
//// ALL_TOOLS has signatures
return [ALL_TOOLS.every((t) => t.signature.startsWith(`tools.${t.name}(`)), ALL_TOOLS[0]];
// => [true,{"name":"add","description":"Adds a and b","signature":"tools.add(args?: unknown): Promise<unknown>"}]
//// what a script puts into prototypes is not asked
Object.prototype.note = "n";
Object.prototype.error = "e";
Object.prototype.toJSON = () => 1;
Array.prototype.toJSON = () => 2;
const n = codemode.search("echo").length;
delete Object.prototype.note, delete Object.prototype.error, delete Object.prototype.toJSON, delete Array.prototype.toJSON;
return n;
// => 1
//// where there are many tools, the message for an unknown name says how to search
tools.zzqqzz;
// options: {"with":["t01","t02","t03","t04","t05","t06","t07","t08","t09","t10","t11"]}
// !!= TypeError 1:* tools.zzqqzz does not exist. There are 21; codemode.search("what it does") finds them, ALL_TOOLS lists them.
