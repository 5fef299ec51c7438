// fence: environment -- a thrown proxy whose every trap throws ends the run as the script's own error
throw new Proxy(function () {}, Object.fromEntries(Reflect.ownKeys(Reflect).filter((k) => typeof k === "string").map((k) => [k, () => { throw new Error("trap"); }])));
// !! - -:- cannot be described
// kind: script
