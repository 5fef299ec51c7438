const people = await tools.people({});
const short = people.map(({ id, name, score }) => ({ id, name, score }));
return { n: short.length, first: short[0], last: short.at(-1) };
