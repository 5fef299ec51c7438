//// a name declared twice
const a = 1;
const a = 2;
// !!= SyntaxError 2:7 a is declared twice in the same scope: drop the second declaration or choose another name
//// a name declared twice, and nothing behind it
let x = 1, y, x
// !! SyntaxError 1:15 x is declared twice
//// a function with the name of a const
const a = 1; function a() {}
// !! SyntaxError 1:23 a is declared twice
//// a const without a value
const b
// !!= SyntaxError 1:7 b must be given its value where it is declared
//// a shorthand with a value, where no pattern is
return { a: 1, b = 2 };
// !! SyntaxError 1:16 write { b: value }
//// the engine's words, at the place of the word that they are about
const list = [1];
list.forEach((x) => { if (x) continue; });
// !! SyntaxError 2:30 continue must be inside loop
//// the place is that of the word, not of what stands behind it
return [1].map((x) => {
  if (x) break;
});
// !!= SyntaxError 2:10 break must be inside loop or switch
//// also where nothing stands behind it
break
// !!= SyntaxError 1:1 break must be inside loop or switch
//// an import is told once what to write
// options: {"raw": true}
import { readFile } from "node:fs/promises";
// !!= SyntaxError 2:1 import does not exist here: a script reaches everything through tools, e.g. await tools.name({})
//// an import of TypeScript, too
import fs = require("fs");
return fs.readFile("a");
// !!= SyntaxError 1:1 import = needs code and is not supported: write const fs = ...
//// a group in the words of another language
const name = "a";
return /(?P<first>.)/.test(name);
// !! SyntaxError 2:11 a group with a name begins with (?<name>
//// a flag in the words of another language
const name = "a";
return /(?i)a/.test(name);
// !! SyntaxError 2:12 this regular expression is not valid: flags stand behind the last /
//// a range in the wrong order
return 1 && /[z-a]/.test("a");
// !! SyntaxError 1:18 this regular expression is not valid: a range in [ ]
//// nothing to repeat
return 1 && /a**/.test("a");
// !! SyntaxError 1:16 nothing stands before *
//// what only the engine knows, in the one regular expression
const name = "a";
return /\p{Letters}/u.test(name);
// !! SyntaxError 2:8 this regular expression is not valid: unknown unicode property name
//// what only the engine knows, in one of two
const word = /\w+/;
return word.test("a") && /\p{Letters}/u.test("a");
// !! SyntaxError -:- one of the script's regular expressions is not valid: unknown unicode property name
//// an error of the script's own has nothing to do with them
const word = /\w+/;
if (word.test("a")) throw new SyntaxError("mine");
// !!= SyntaxError 2:31 mine
