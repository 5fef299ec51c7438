// SPDX-License-Identifier: MIT
//
// unicode_cases.js -- upper and lower case of the characters beyond ASCII:
// the text of unicode_cases.def, from the Unicode of the engine that runs it (in_quickjs.mjs).

const FIRST = 0x80, LAST = 0xe01ef;
// Nothing in between has case, or is ignored beside what has: planes of Han
// characters, and empty ones.
const skipped = (c) => c === 0x20000 ? 0xe0000 : c;

// Each character that map changes: rows of equal distance, and those that
// become several.
function cases(map) {
	const rows = [], several = [];
	for (let c = FIRST; c <= LAST; c = skipped(c + 1)) {
		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		const to = [...map(String.fromCodePoint(c))].map((x) => x.codePointAt(0));
		if (to.length > 1) {
			several.push([c, ...to, 0].slice(0, 4));
			continue;
		}
		const delta = to[0] - c, row = rows.at(-1);
		if (delta === 0)
			continue;
		const step = row && c - row[1];
		if (row && row[3] === delta && step <= 2 && (step === row[2] || row[0] === row[1])) {
			row[1] = c;
			row[2] = step;
		} else {
			rows.push([c, c, 1, delta]);
		}
	}
	return [rows, several];
}

function ranges(property) {
	const re = new RegExp(`^\\p{${property}}$`, "u");
	const found = [];
	for (let c = 0; c <= LAST; c = skipped(c + 1)) {
		const surrogate = c >= 0xd800 && c <= 0xdfff;
		if (surrogate || !re.test(String.fromCodePoint(c)))
			continue;
		const last = found.at(-1);
		if (last && last[1] === c - 1)
			last[1] = c;
		else
			found.push([c, c]);
	}
	return found;
}

function lines(macro, list) {
	const number = (n) => n > 9 ? `0x${n.toString(16)}` : String(n);
	let out = "", line = "";
	for (const entry of list) {
		const item = `${macro}(${entry.map(number).join(", ")})`;
		if (line && line.length + item.length + 1 > 78) {
			out += `${line}\n`;
			line = "";
		}
		line += line ? ` ${item}` : item;
	}
	return `${out}${line}\n`;
}

const [lower, lowers] = cases((s) => s.toLowerCase());
const [upper, uppers] = cases((s) => s.toUpperCase());

`/* SPDX-License-Identifier: MIT */
/*
 * unicode_cases.def -- made from the Unicode of the QuickJS inside, in order.
 * LOWER, UPPER(first, last, step, distance): each step-th of a row of code
 * points is changed by that; LOWERS, UPPERS(c, up to three): c becomes several.
 * CASED, IGNORABLE(first, last): what decides about the final sigma.
 */
${lines("LOWER", lower)}
${lines("LOWERS", lowers)}
${lines("UPPER", upper)}
${lines("UPPERS", uppers)}
${lines("CASED", ranges("Cased"))}
${lines("IGNORABLE", ranges("Case_Ignorable"))}`;
