// fence: environment -- a value that the engine throws by mistake ends the run as the script's error
// options: {"limits":{"heap":16777216}}
"\ufdfa".repeat(1e6).normalize("NFKD");
// kind-of: script
