//// the name alone
return await fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* fetch_weather does not exist here: write await tools.srv.fetch_weather({ location: "Oslo" })
//// server and name in one word
return await mcp__srv__fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// the same with one line between
return await srv_fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a word in front
return await external_fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a method of codemode
return await codemode.fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a server of codemode
return await codemode.srv.fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a method of functions
return await functions.fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// the server alone
return await srv.fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// tools without the server
return await tools.fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// server and name in one member
return await tools.mcp__srv__fetch_weather({ location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a call by name
return await tools.call("fetch_weather", { location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a call by path
return await callTool("srv.fetch_weather", { location: "Oslo" });
// options: {"with":[["srv","fetch_weather"]]}
// !! * 1:* write await tools.srv.fetch_weather({ location: "Oslo" })
//// a name that two servers have is not guessed
return await fetch_weather();
// options: {"with":[["srv","fetch_weather"],["other","fetch_weather"]]}
// !! ReferenceError 1:14 fetch_weather is not defined
//// a script that came as HTML writes it is read, and said to be
const v = [1, 2, 3]; let n = 0;
for (let i = 0; i &lt; v.length; i++) {
  if (v[i] &gt;= 2 &amp;&amp; v[i] !== 9) n++;
}
return [n, &quot;a &lt; b&quot;];
// => [2,"a < b"]
// warning: the script came as HTML writes it
//// in a fence
```js
const big = [5, 1, 7].filter((n) =&gt; n &gt; 4);
return big.length;
```
// => 2
// warning: the script came as HTML writes it
//// what stands in a text stays there
const row = "a &lt; b &amp;&amp; c";
return [row, 1 < 2 && 3];
// => ["a &lt; b &amp;&amp; c",3]
//// one that is code by accident, too
const v = 1;
return v &lt; 2;
// !!= ReferenceError 2:11 lt is not defined: write <, >, & and " themselves, not as HTML does
//// one that is broken besides is told what it is
const a = [1].filter((n) =&gt; n &gt; );
// !! SyntaxError 1:27 write <, >, & and " themselves
//// const enum, namespace, import =
const enum Level { Low = 1, High = 9 }
return Level.High;
// !! SyntaxError 1:* enum needs code and is not supported
//// a namespace
namespace A { export const x = 1; }
return A.x;
// !! SyntaxError 1:* namespace
//// import =
import fs = require("fs");
return fs;
// !! SyntaxError 1:* import
