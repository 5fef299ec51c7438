// SPDX-License-Identifier: MIT
//
// unicode_fold.js -- which characters are the same to a regular expression with the flag i:
// the text of unicode_fold.def, from the Unicode of the engine that runs it (in_quickjs.mjs).

const LAST = 0x1ffff; // what is beyond has no case

const single = (text, c) =>
	[...text].length === 1 ? text.codePointAt(0) : c;

// Without u: to upper case, of one code unit, and never into ASCII.
function upper(c) {
	if (c > 0xffff)
		return c;
	const up = String.fromCodePoint(c).toUpperCase();
	if (up.length !== 1 || (c >= 128 && up.charCodeAt(0) < 128))
		return c;
	return up.charCodeAt(0);
}

// With u: simple case folding. Those that fold alike become the least of them
// that is in lower case, or else the least.
function folds() {
	const of = new Map(), long = new Map();
	const near = (c) => {
		const s = String.fromCodePoint(c), found = new Set([c]);
		for (const t of [s.toUpperCase(), s.toLowerCase(),
			s.toUpperCase().toLowerCase(),
			s.toLowerCase().toUpperCase()])
			found.add(single(t, c));
		for (const d of long.get(s.toUpperCase()) ?? [])
			found.add(d);
		return found;
	};
	for (let c = 0; c <= 0xffff; c++) {
		const up = String.fromCharCode(c).toUpperCase();
		if (up.length > 1)
			long.set(up, [...(long.get(up) ?? []), c]);
	}
	for (let c = 0; c <= LAST; c++) {
		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		let re;
		for (const d of near(c)) {
			if (d === c)
				continue;
			re ??= new RegExp(`^\\u{${c.toString(16)}}$`, "iu");
			if (!re.test(String.fromCodePoint(d)))
				continue;
			const all = new Set([c, d, ...(of.get(c) ?? []),
				...(of.get(d) ?? [])]);
			for (const one of all)
				of.set(one, all);
		}
	}
	return (c) => {
		const all = of.get(c);
		return all ? Math.min(...all) : c;
	};
}

// Rows of characters that stand `step` apart and change by the same number.
function rows(map) {
	const found = [];
	for (let c = 0; c <= LAST; c++) {
		const by = map(c) - c, last = found.at(-1);
		if (by === 0)
			continue;
		if (last && last.by === by && (c - last.high === last.step ||
		    (last.low === last.high && c - last.high <= 2))) {
			last.step = c - last.high;
			last.high = c;
		} else {
			found.push({ low: c, high: c, step: 1, by });
		}
	}
	return found;
}

function lines(macro, map) {
	const hex = (c) => `0x${c.toString(16)}`;
	let out = "", line = "";
	for (const { low, high, step, by } of rows(map)) {
		const item = `${macro}(${hex(low)}, ${hex(high)}, ${step}, ${by})`;
		if (line && line.length + item.length + 1 > 80) {
			out += `${line}\n`;
			line = "";
		}
		line += line ? ` ${item}` : item;
	}
	return `${out}${line}\n`;
}

`/* SPDX-License-Identifier: MIT */
/*
 * unicode_fold.def -- made from the Unicode of the QuickJS inside: rows of
 * characters (first, last, step) and the number that is added to each for the
 * one that stands for all that are the same to the flag i: UPPER without the
 * flags u and v, FOLD with one of them.
 */
${lines("UPPER", upper)}${lines("FOLD", folds())}`;
