// SPDX-License-Identifier: MIT
//
// shown.mjs -- what both sides say of a run, in one shape: field -> text. Times
// are not compared, and a long text is its beginning and its hash.

import { createHash } from "node:crypto";

const fields = {
	ok: (r) => r.ok,
	value: (r) => r.value,
	output: (r) => r.output,
	"error.kind": (r) => r.error?.kind,
	"error.name": (r) => r.error?.name,
	"error.message": (r) => r.error?.message,
	calls: (r) => r.calls.map((c) => `${c.server ? `${c.server}.${c.name}` : c.name} ${c.status}`),
	storeWrites: (r) => (r.ok ? { set: Object.entries(r.storeWrites.set), delete: r.storeWrites.delete } : undefined),
};

function short(text) {
	if (text.length < 4000) return text;
	return `${text.slice(0, 400)}... ${text.length} ${createHash("sha256").update(text).digest("hex")}`;
}

export const shown = (result) =>
	Object.fromEntries(Object.entries(fields).map(([field, of]) => [field, short(JSON.stringify(of(result)) ?? "undefined")]));
