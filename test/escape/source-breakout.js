// fence: environment -- a source that closes the function around it gains nothing by it
}); globalThis.mine = typeof host + typeof call + typeof secret; (async () => { return mine;
// kind-of: ok script
