// How many people of each team live in Graz?
const { entities, relations } = await tools.memory.read_graph();
const graz = new Set(entities.filter((e) => e.observations.includes("lives in Graz")).map((e) => e.name));
const teams = {};
for (const { from, to } of relations) if (graz.has(from)) teams[to] = (teams[to] ?? 0) + 1;
return teams;
