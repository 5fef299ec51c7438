// How many errors came in each hour, and in each part of the shop?
const { content } = await tools.files.read_text_file({ path: `${data.shop}/logs/app.log` });
const hours = {}, parts = {};
for (const line of content.split("\n")) {
	const [time, level, part] = line.split(/ +/);
	if (level !== "ERROR") continue;
	hours[time.slice(11, 13)] = (hours[time.slice(11, 13)] ?? 0) + 1;
	parts[part] = (parts[part] ?? 0) + 1;
}
return { hours, parts };
