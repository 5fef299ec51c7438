// fence: gate -- a message that quotes the source never ends in half a character
// source: "return (x yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyéyyyyyyyyyy"
// !! SyntaxError *:* yyy
// kind: script
