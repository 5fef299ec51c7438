// Which files under src/ changed most in the last commits, and what are they?
//
// Every patch is read, a hundred kilobytes and more; only the table leaves.

const { content: allowed } = await tools.filesystem.list_allowed_directories();
const path = allowed.trim().split("\n").pop();

const { commits } = await tools.git.git_log({ path, maxCount: 60 });

// The oldest commit of a shallow clone looks as if it had added everything.
const newer = commits.filter((commit) => commit.parents?.length);
const looked = newer.length ? newer : commits;

const patches = await Promise.all(looked.map((commit) =>
	tools.git.git_show({ path, object: commit.hash })));

const files = new Map();
for (const { content: patch } of patches) {
	let file, inHunk;
	for (const line of patch.split("\n")) {
		const header = /^diff --git a\/.+ b\/(.+)$/.exec(line);
		if (header) {
			inHunk = false;
			file = /^src\/.*\.[ch]$/.test(header[1]) && header[1];
			if (file && !files.has(file))
				files.set(file, { file, commits: 0, lines: 0 });
			if (file)
				files.get(file).commits++;
		} else if (line.startsWith("@@")) {
			inHunk = true;
		} else if (file && inHunk && /^[+-]/.test(line)) {
			files.get(file).lines++;
		}
	}
}

const most = [...files.values()]
	.sort((a, b) => b.commits - a.commits || b.lines - a.lines)
	.slice(0, 10);

// "name.c -- what it is" in the comment that opens each of our files.
const about = async ({ file }) => {
	try {
		const { content } = await tools.filesystem.read_text_file(
			{ path: `${path}/${file}`, head: 10 });
		return /^(?:\/\*| \*) \S+ -- (.*?)(?: \*\/)?$/m.exec(content)?.[1] ?? "";
	} catch {
		return "(no longer there)";
	}
};
const words = await Promise.all(most.map(about));

text(`${looked.length} commits, ${files.size} files of src/ changed; most:`);
most.forEach(({ file, commits, lines }, i) => text(
	`${String(commits).padStart(3)} commits ${String(lines).padStart(5)} ` +
	`lines  ${file.padEnd(28)} ${words[i]}`));
