// fence: environment -- any name may be asked of tools; only tools are found
const out = [];
for (const k of ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "then", "toJSON", "__defineGetter__"]) out.push(typeof tools[k]);
const threw = [];
for (const k of ["\u0000", "\u2028", "\ud800", "", "a".repeat(1e6), "echo\u0000", "../echo", "echo.", ".", "echo.constructor", "0", "-1", "\ufeffecho"]) try { tools[k]; threw.push("found"); } catch (e) { threw.push(e.message.length < 500 ? e.name : "long"); }
const t = tools.echo;
try { t.evil = 1; } catch {}
try { tools.evil = 1; } catch {}
try { delete tools.echo; } catch {}
try { Object.setPrototypeOf(tools, { evil: 1 }); } catch {}
return [out, new Set(threw).size === 1 && threw[0], t.evil === undefined, tools.echo === t, await t("x"), Reflect.ownKeys(tools).includes("evil")];
// => [["undefined","undefined","undefined","undefined","undefined","undefined","undefined","undefined"],"TypeError",true,true,"x",false]
