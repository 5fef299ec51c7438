// Which TODO comments are in the sources, and where?
const { content } = await tools.files.search_files({ path: `${data.shop}/src`, pattern: "**/*.js" });
const files = content.trim().split("\n").sort();
const texts = await Promise.all(files.map((path) => tools.files.read_text_file({ path })));
files.forEach((file, i) => texts[i].content.split("\n").forEach((line, n) => {
	if (line.includes("TODO")) text(`${file.split("/").pop()}:${n + 1} ${line.slice(3)}`);
}));
