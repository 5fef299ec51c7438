// fence: limits -- ten thousand calls made and stopped at once leave nothing running
let stopped = 0;
for (let round = 0; round < 100; round++) {
	const c = new AbortController();
	const all = Array.from({ length: 100 }, () => tools.hang(0, { signal: c.signal }).catch(() => stopped++));
	c.abort();
	await Promise.all(all);
}
return stopped;
// => 10000
