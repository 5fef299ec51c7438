// What did each country buy?
// The database can say this by itself: one call, and its result is the answer.
return tools.sqlite.query({
	sql: "SELECT country, count(*) AS orders, sum(cents) AS cents FROM orders JOIN customers ON customers.id = customer GROUP BY country",
});
