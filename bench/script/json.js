const orders = [];
for (let i = 0; i < 22000; i++)
	orders.push({
		id: i,
		customer: { name: "customer " + (i % 1000), mail: "c" + i + "@example.org" },
		lines: [{ sku: "A-" + i, count: (i % 7) + 1, price: i * 0.25 }, { sku: "B-" + i, count: 1, price: null }],
		open: i % 3 === 0,
		note: "please leave the parcel at the door",
	});
const once = JSON.stringify(orders);
const again = JSON.stringify(JSON.parse(once));
return [once.length, again === once];
