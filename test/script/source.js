//// empty source
// source: ""
// !! * -:- empty
// code: EmptySource
// kind: script
//// nothing but white space
// source: " \n\t\r\n"
// !! * -:- empty
// code: EmptySource
//// source over the limit
return 1;
// options: {"limits":{"source":5}}
// !! * *:* the limit is 5
// code: SourceLimit
// kind: script
//// source at the limit
// source: "return 1;"
// options: {"limits":{"source":9}}
// => 1
//// a NUL byte is told by its place
// source: "return 1;\n  \u0000"
// !! SyntaxError 2:3 NUL
// code: NotText
// kind: script
//// bytes that are not UTF-8 are told by their place
// source-hex: 0a 72 65 74 75 72 6e 20 22 ff 22 3b
// !! SyntaxError 2:9 UTF-8
// code: NotText
// kind: script
//// overlong UTF-8 is no UTF-8
// source-hex: 72 65 74 75 72 6e 20 22 c0 80 22
// !! SyntaxError 1:9 UTF-8
// code: NotText
//// a byte order mark in front is no error
// source: "\ufeffreturn 7;"
// => 7
//// lines with CRLF count as one
// source: "const a = 1;\r\nconst b = 2;\r\nthrow new Error('three');\r\n"
// !!= Error 3:* three
//// lines inside templates count
// source: "const a = `\n\n`;\nthrow new Error('four');"
// !!= Error 4:* four
//// the last line may be a comment without an end of line
// source: "return 5; // five"
// => 5
//// the last line may be a line comment alone
// source: "// nothing"
// => undefined
//// a timeout in the options line
// source: "// @options: {\"timeout_ms\": 60}\nwhile (true);"
// !!= * *:* Execution timed out after 60 ms
// kind: timeout
// within: 160
//// the options line cannot lengthen the deadline
// source: "// @options: {\"timeout_ms\": 60000}\nwhile (true);"
// options: {"limits":{"wall_ms":50}}
// !!= * *:* Execution timed out after 50 ms
// kind: timeout
//// lines keep their numbers behind an options line
// source: "// @options: {\"timeout_ms\": 60000}\nlet a = 1;\nthrow new Error('three');"
// !!= Error 3:11 three
//// and columns too, on the line behind it
// source: "// @options: {}\nthrow new Error('two');"
// !!= Error 2:11 two
//// an unknown option is named
// source: "// @options: {\"timeout\": 5}\nreturn 1;"
// !! * 1:* timeout_ms
// code: BadOptions
//// an option that makes no sense
// source: "// @options: {\"timeout_ms\": 0}\nreturn 1;"
// !! * 1:* timeout_ms
// code: BadOptions
//// options that are no JSON
// source: "// @options: {timeout_ms: 5}\nreturn 1;"
// !! * 1:* JSON
// code: BadOptions
//// options that are no object
// source: "// @options: [1]\nreturn 1;"
// !! * 1:* JSON object
// code: BadOptions
//// an options line inside a template is text
// source: "return `\n// @options: {\"a\": 1}\n`.length;"
// => 23
// warning: only the first line
//// without the blank it is a comment
// source: "//@options: {\"a\": 1}\nreturn 1;"
// => 1
// warning: no options line
//// code cannot close the function around it
// source: "return 1 }); (async () => { return 2"
// !! SyntaxError *:* 
//// nor open a comment over its end
// source: "return 1; /*"
// !! SyntaxError 1:* 
//// nor a template
// source: "return `1"
// !! SyntaxError 1:* 
//// a Unicode line separator ends a line comment
// source: "// one\u2028return 2;"
// => 2
//// HTML-like comments are refused: they are text that is no script
// source: "<!-- one\nreturn 2;\n--> three"
// !! SyntaxError 1:1 not JavaScript
//// the output's own limit is the owner's to keep
// source: "// @options: {\"max_output_tokens\": 5}\nreturn 1;"
// => 1
//// a comment that was to be an options line is told
// source: "// @options {\"timeout_ms\": 5}\nreturn 1;"
// => 1
// warning: no options line
//// an options line on another line is told
// source: "let a = 1;\n// @options: {\"timeout_ms\": 5}\nreturn a;"
// => 1
// warning: only the first line
//// a module that is imported by a call
const n = 1;
const fs = await import("node:fs");
// !! ReferenceError 2:18 import does not work here: there is no module "node:fs"
//// the one of several imports that failed
await import("a").catch(() => 1);
await import("b");
// !! ReferenceError 2:7 import does not work here: there is no module "b"
// quickjs: import() fails at once, not later
//// one of several imports, it is not known which
const names = ["a", "b"];
await import(names[0]).catch(() => 1);
await import(names[1]);
// !! ReferenceError -:- could not load module
// quickjs: import() fails at once, not later
//// an options line with another capital is told
// source: "// @Options: {\"timeout_ms\": 5}\nreturn 1;"
// => 1
// warning: no options line
//// white space of every kind may stand before the options line
// source: "\ufeff\n \u00a0// @options: {\"timeout_ms\": 0}\nreturn 1;"
// !! * 2:* timeout_ms must be a whole number from 1 to 2147483647
// code: BadOptions
//// white space alone is no script
// source: "\ufeff\u00a0\n"
// !! * *:* the script is empty
// code: EmptySource
//// an options line without a script
// source: "// @options: {\"timeout_ms\": 5}\n\u2028 "
// !! * *:* no script behind it
// code: EmptySource
//// an empty options line
// source: "// @options:\nreturn 1;"
// !! * 1:* a JSON object with timeout_ms or max_output_tokens
// code: BadOptions
//// a whole number with an exponent, and one with a point
// source: "// @options: {\"timeout_ms\": 3e4, \"max_output_tokens\": 2000.0}\nreturn 1;"
// => 1
//// numbers that are not whole, or not plain
// source: "// @options: {\"max_output_tokens\": 15e-1}\nreturn 1;"
// !! * 1:* max_output_tokens must be a whole number from 0
// code: BadOptions
//// the first of two values is read, too
// source: "// @options: {\"timeout_ms\": null, \"timeout_ms\": 5}\nreturn 1;"
// !! * 1:* timeout_ms must be
// code: BadOptions
