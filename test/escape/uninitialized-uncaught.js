// fence: environment -- a value that the engine throws by mistake ends the run as the script's error
// options: {"limits":{"heap":67108864}}
"\ufdfa".repeat(5e6).normalize("NFKD");
// kind-of: script
