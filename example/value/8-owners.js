// Note in the memory who changed each source file most often.
const path = data.shop;
const { content } = await tools.files.search_files({ path: `${path}/src`, pattern: "**/*.js" });
const entities = await Promise.all(content.trim().split("\n").sort().map(async (file) => {
	const filePath = file.slice(path.length + 1);
	const { commits } = await tools.git.git_log({ path, filePath });
	const count = {};
	for (const { author } of commits) count[author] = (count[author] ?? 0) + 1;
	const [owner] = Object.keys(count).sort((a, b) => count[b] - count[a] || a.localeCompare(b));
	return { name: filePath, entityType: "source file", observations: [`changed most often by ${owner}`] };
}));
const { entities: noted } = await tools.memory.create_entities({ entities });
return `${noted.length} files noted`;
