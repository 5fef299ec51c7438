# The dialects: a file of each client in config/, and what each of its servers
# means. doc/guide/config.md has the same list. Values of variables and headers
# are not shown; test/cli/config.t looks at them through a server.

== Claude Code
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp claude.json | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"claude.json","project":false,"state":"read"}],"servers":[
> {"name":"local","where":"claude.json:12","state":"start","reach":"process","command":["cat"]},
> {"name":"files","where":"claude.json:4","state":"start","reach":"process","command":["cat","/home/me/notes"],"env":["LEVEL"]},
> {"name":"remote","where":"claude.json:5","state":"start","reach":"http","url":"https://mcp.example.com/mcp","headers":["X-Team"]},
> {"name":"old","where":"claude.json:6","state":"start","reach":"sse","url":"https://mcp.example.com/sse"},
> {"name":"blocked","where":"claude.json:7","state":"off","why":"is left out by the lists of servers in the file"}],
> "notes":[]}

== Cursor
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp cursor.json | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"cursor.json","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"cursor.json:3","state":"start","reach":"process","command":["cat","here","red"],"env":["LEVEL"]},
> {"name":"remote","where":"cursor.json:4","state":"start","reach":"http","url":"https://mcp.example.com/mcp","clientId":"me","scope":"read write"}],
> "notes":[]}

== VS Code
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp vscode.json | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"vscode.json","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"vscode.json:8","state":"start","reach":"process","command":["cat","eu"]},
> {"name":"socket","where":"vscode.json:9","state":"start","reach":"http","url":"unix:///tmp/server.sock#/mcp"},
> {"name":"asked","where":"vscode.json:10","state":"wrong","why":"headers: the variable ${input:token} is asked for by the editor: give it as CODEMODE_INPUT_TOKEN in the environment"},
> {"name":"fenced","where":"vscode.json:11","state":"wrong","why":"sandboxEnabled: codemode does not fence servers in: the server is left out"}],
> "notes":["vscode.json:10: asked.headers: the variable ${input:token} is asked for by the editor: give it as CODEMODE_INPUT_TOKEN in the environment","vscode.json:11: fenced.sandboxEnabled: codemode does not fence servers in: the server is left out"]}

== Codex
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp codex.toml | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"codex.toml","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"codex.toml:4","state":"start","reach":"process","command":["cat","a","b\\c"],"env":["HOME","TEAM","LEVEL"],"startupMs":20000,"callMs":45500,"only":["read","list"],"except":["list"]},
> {"name":"off","where":"codex.toml:26","state":"off","why":"is switched off in the file"},
> {"name":"remote","where":"codex.toml:20","state":"start","reach":"http","url":"https://mcp.example.com/mcp","headers":["X-A","X-B"],"login":"token"},
> {"name":"wrong","where":"codex.toml:30","state":"wrong","why":"command: must be a string or an array of strings"}],
> "notes":["codex.toml:31: wrong.command: must be a string or an array of strings"]}

== Goose
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp goose.yaml | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"goose.yaml","project":false,"state":"read"}],"servers":[
> {"name":"developer","where":"goose.yaml:4","state":"off","why":"is a part of the other program"},
> {"name":"files","where":"goose.yaml:8","state":"start","reach":"process","command":["cat","a","b c"],"env":["TEAM","LEVEL"],"callMs":300000},
> {"name":"remote","where":"goose.yaml:19","state":"start","reach":"http","url":"https://mcp.example.com/mcp","headers":["X-A"],"only":["read"]},
> {"name":"old","where":"goose.yaml:27","state":"off","why":"is switched off in the file"},
> {"name":"copy","where":"goose.yaml:31","state":"start","reach":"process","command":["cat","a","b c"],"env":["TEAM","LEVEL"],"callMs":300000}],
> "notes":[]}

== opencode
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp opencode.jsonc | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"opencode.jsonc","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"opencode.jsonc:4","state":"start","reach":"process","command":["cat","red","# for cursor.json\nexport LEVEL=\"2\""],"env":["LEVEL"],"callMs":5000,"except":["write"]},
> {"name":"remote","where":"opencode.jsonc:10","state":"start","reach":"http","url":"https://mcp.example.com/mcp","clientId":"me","scope":"read","except":["*"]},
> {"name":"plain","where":"opencode.jsonc:11","state":"start","reach":"http","url":"https://mcp.example.com/mcp","login":"off","startupMs":100,"callMs":200},
> {"name":"off","where":"opencode.jsonc:12","state":"off","why":"is switched off in the file"}],
> "notes":[]}

== Gemini CLI
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp gemini.json | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"gemini.json","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"gemini.json:4","state":"start","reach":"process","command":["cat"],"env":["LEVEL"],"callMs":30000,"only":["read"],"except":["write"]},
> {"name":"remote","where":"gemini.json:5","state":"start","reach":"http","url":"https://mcp.example.com/mcp","headers":["Authorization"]},
> {"name":"old","where":"gemini.json:6","state":"off","why":"is left out by the lists of servers in the file"},
> {"name":"other","where":"gemini.json:7","state":"off","why":"is left out by the lists of servers in the file"}],
> "notes":[]}

== Zed
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp zed.json | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"zed.json","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"zed.json:5","state":"start","reach":"process","command":["cat"]},
> {"name":"older","where":"zed.json:6","state":"start","reach":"process","command":["cat","x"],"env":["LEVEL"]},
> {"name":"remote","where":"zed.json:7","state":"start","reach":"http","url":"https://mcp.example.com/mcp"},
> {"name":"part","where":"zed.json:8","state":"off","why":"is an extension of the other program"}],
> "notes":[]}

== Cline, Roo Code, Windsurf
$ cp "$DATA"/config/* .; export HOME=/home/me TEAM=red
$ codemode config --json --mcp cline.json | sed 's/"cwd":"[^"]*",\{0,1\}//g; s/,}/}/g; s/{"name"/\n&/g; s/"notes"/\n&/'
> {"files":[{"path":"cline.json","project":false,"state":"read"}],"servers":[
> {"name":"files","where":"cline.json:3","state":"start","why":"timeout: 60 is taken as seconds","reach":"process","command":["cat"],"callMs":60000,"except":["write"]},
> {"name":"remote","where":"cline.json:4","state":"start","reach":"http","url":"https://mcp.example.com/mcp"},
> {"name":"windsurf","where":"cline.json:5","state":"start","reach":"http","url":"https://mcp.example.com/mcp"},
> {"name":"nested","where":"cline.json:6","state":"start","reach":"http","url":"https://mcp.example.com/mcp"},
> {"name":"off","where":"cline.json:7","state":"off","why":"is switched off in the file"}],
> "notes":["cline.json:3: files.timeout: 60 is taken as seconds"]}
