// How many commits has each author made?
const { commits } = await tools.git.git_log({ path: data.shop, maxCount: 100 });
const count = {};
for (const { author } of commits) count[author] = (count[author] ?? 0) + 1;
return count;
