// Which paid orders have no invoice in the folder?
const [paid, { content }] = await Promise.all([
	tools.sqlite.query({ sql: "SELECT id FROM orders WHERE paid = 1" }),
	tools.files.list_directory({ path: `${data.shop}/invoices` }),
]);
const there = new Set(content.match(/order-\d+/g).map((name) => Number(name.slice(6))));
return paid.map(({ id }) => id).filter((id) => !there.has(id));
