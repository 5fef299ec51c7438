// Which five files had the most lines added in the last 20 commits?
const path = data.shop;
const { commits } = await tools.git.git_log({ path, maxCount: 20 });
const patches = await Promise.all(commits.map(({ hash }) => tools.git.git_show({ path, object: hash })));
const added = {};
for (const { content } of patches) {
	let file;
	for (const line of content.split("\n")) {
		if (line.startsWith("+++ b/")) file = line.slice(6);
		else if (line.startsWith("+")) added[file] = (added[file] ?? 0) + 1;
	}
}
return Object.entries(added).sort((a, b) => b[1] - a[1]).slice(0, 5);
