// SPDX-License-Identifier: MIT
//
// questions.mjs CODEMODE NPM: what the official example server asks in the middle of a call reaches the person of the client
// of `codemode serve`, and comes back; the server's tasks and resources are calls like any other. sdk_client.mjs says what
// CODEMODE and NPM are.

import assert from "node:assert/strict";
import { join } from "node:path";
import { Client, StdioClientTransport, codemode, npm } from "./sdk_client.mjs";

const types = await import(join(npm, "node_modules/@modelcontextprotocol/sdk/dist/esm/types.js"));
const everything = join(npm, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const asked = [];
const open = [];

async function connect(capabilities, reply) {
	const client = new Client({ name: "test", version: "1" }, { capabilities });
	if (capabilities.elicitation)
		client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
			asked.push(params);
			return reply(params);
		});
	await client.connect(new StdioClientTransport({
		command: codemode,
		args: ["serve", "--mcp", "none", "--mcp-server", `e=${join(npm, "node22")} ${everything}`],
	}));
	open.push(client);
	return async (code) => (await client.callTool({ name: "codemode", arguments: { code } })).content[0].text;
}

const elicit = "return await tools.e.trigger_elicitation_request({})";

try {
	const run = await connect({ elicitation: {} }, () => ({ action: "accept", content: { name: "Ada", check: true } }));
	assert.match(await run(elicit), /User inputs:.*Name: Ada/s);
	assert.equal(asked.length, 1);
	assert.ok(asked[0].requestedSchema.properties.name);

	/* A client that cannot ask: the tool fails with words, at once. */
	const mute = await connect({});
	assert.match(await mute(elicit), /does not take such questions/);

	assert.match(await mute(`return await tools.e.simulate_research_query({ topic: "tides" })`), /Research Report: tides/);
	assert.match(await mute(`
		const { content } = await tools.e.get_resource_links({ count: 1 });
		const { uri } = content.find((c) => c.type === "resource_link");
		const r = await tools.e.readResource({ uri });
		return typeof r === "string" ? r : r.contents[0].uri`), /demo:|Resource/);
	console.log("ok");
} finally {
	for (const client of open) await client.close();
}
