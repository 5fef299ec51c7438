// SPDX-License-Identifier: MIT
//
// page.js -- the picture of a script. What stands in the trace comes from models and servers: it goes into the page by
// textContent and setAttribute alone, and characters that are not seen or that turn the direction of text are written out.
"use strict";

const $ = id => document.getElementById(id);
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const plain = s => String(s).replace(HIDDEN, c => "<U+" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") + ">");

function element(parent, name, words, classes) {
	const e = document.createElement(name);
	if (words !== undefined)
		e.textContent = plain(words);
	if (classes)
		e.className = classes;
	parent.append(e);
	return e;
}

// ------------------------------------------------------------------- figures

function duration(us) {
	if (us < 1000)
		return Math.round(us) + " µs";
	return us < 1e6 ? Number((us / 1000).toPrecision(3)) + " ms" : Number((us / 1e6).toPrecision(3)) + " s";
}

function size(n) {
	const units = ["bytes", "kB", "MB", "GB"];
	let i = 0;
	for (; n >= 1000 && i < 3; i++)
		n /= 1000;
	return (i ? n.toFixed(1) : n) + " " + units[i];
}

// --------------------------------------------------------------------- model
//
// { script, time, end: {how, …}, turns: [{from, to}], items: [{kind, lane, from, to, …}], lanes: [name] }; times in µs.

const HOW = { ok: "ok", failed: "failed", stopped: "stopped", refused: "refused", dropped: "dropped: the script ended first", open: "no end: the trace was cut", unstarted: "never began" };

// A picture has an end: 30 years, whatever the file says.
const time_of = n => Math.min(Math.max(Number(n) || 0, 0), 1e15);

function new_model(about) {
	return { script: "", time: "", end: {}, turns: [], items: [], lanes: [], ...about };
}

function lane_of(m, name) {
	const at = m.lanes.indexOf(name);
	return at >= 0 ? at : m.lanes.push(name) - 1;
}

function of_trace(t) {
	const about = t.otherData || {};
	const m = new_model({ script: about.script || "", time: about.time || "" });
	const names = new Map(), open = new Map(), order = new Map();
	const events = Array.isArray(t.traceEvents) ? t.traceEvents.filter(e => e && typeof e === "object") : [];
	for (const e of events)
		if (e.name === "thread_name" && e.ph === "M" && e.tid !== 1)
			names.set(e.tid, e.args?.name);
		else if (e.name === "thread_sort_index" && e.ph === "M")
			order.set(e.tid, e.args?.sort_index);
	for (const tid of [...names.keys()].sort((a, b) => order.get(a) - order.get(b)))
		lane_of(m, String(names.get(tid)));
	for (const e of events)
		take_event(m, e, { ts: time_of(e.ts), args: e.args || {}, lane: lane_of.bind(null, m, String(names.get(e.tid) ?? "calls")) }, open);
	for (const c of open.values())
		c.how = "open";
	return m;
}

function take_event(m, e, { ts, args, lane }, open) {
	if (e.name === "turn" && e.ph === "X")
		m.turns.push({ from: ts, to: ts + time_of(e.dur) });
	else if (e.ph === "B" && e.cat === "call")
		open.set(e.tid, push_item(m, { kind: "call", lane: lane(), from: ts, to: ts, ...args, issued: Math.min(ts, time_of(args.issued) || ts) }));
	else if (e.ph === "E" && open.has(e.tid)) {
		Object.assign(open.get(e.tid), args, { to: ts });
		open.delete(e.tid);
	} else if (e.ph === "i" && e.name === "never began")
		push_item(m, { kind: "call", how: "unstarted", lane: lane_of(m, "never began"), from: ts, to: ts, issued: ts, ...args });
	else if (e.ph === "i" && e.name === "end")
		m.end = { ...args, ts };
	else if (e.ph === "i" && (e.name === "print" || e.name === "cut" || e.name === "decision"))
		push_item(m, { ...args, output: args.kind, kind: e.name, lane: -1, from: ts, to: ts });
}

function push_item(m, item) {
	m.items.push(item);
	return item;
}

// A file of `codemode run --record`: whole lines, times in ms.
function of_record(lines) {
	const m = new_model({ script: lines[0]?.script || "", time: new Date(time_of(lines[0]?.epochMs)).toISOString() });
	const calls = new Map(), busy = [];
	for (const l of lines.slice(1)) {
		const at = time_of(l.ms * 1000);
		if (l.call) {
			let slot = 0;
			while (busy[slot])
				slot++;
			busy[slot] = true;
			calls.set(l.call, push_item(m, { kind: "call", how: "open", slot, lane: lane_of(m, "calls" + (slot ? " " + (slot + 1) : "")), call: l.call, tool: l.tool, args: l.args, line: l.line, from: at, to: at, issued: at }));
		} else if (calls.has(l.answer ?? l.stopped)) {
			const c = calls.get(l.answer ?? l.stopped);
			busy[c.slot] = false;
			Object.assign(c, { to: at, how: l.stopped ? "stopped" : l.failure ? "failed" : "ok", result: l.value, message: l.failure?.message ?? l.notJson });
		} else if (l.print)
			push_item(m, { kind: "print", output: l.print, lane: -1, from: at, to: at, text: /^(text|console)$/.test(l.print) ? l.text : undefined, bytes: l.text?.length || 0 });
		else if (l.result)
			m.end = { ...l.result, how: l.result.ok ? "ok" : l.result.error?.kind || "failed", ts: at };
	}
	return m;
}

// ------------------------------------------------------------------- picture

let model, buttons = [], chosen = null, zoom = 1;

const span = () => model.span;
const share = us => (100 * us / span()) + "%";
const status = c => HOW[c.how] || String(c.how);

function label_of(item) {
	if (item.kind !== "call")
		return item.kind === "print" ? "print: " + String(item.text ?? item.output).slice(0, 80) : item.kind === "cut" ? item.how + " was cut" : "decision: " + item.how;
	return ["call " + item.call, item.tool, status(item), item.how === "unstarted" ? "" : duration(item.to - item.from), item.line ? "line " + item.line : ""].filter(Boolean).join(", ");
}

const MARKS = { failed: "✕ ", refused: "⊘ ", stopped: "◼ ", dropped: "◼ ", open: "… ", unstarted: "○ " };

function draw_item(track, item) {
	const dot = item.kind !== "call";
	const b = element(track, "button", dot ? "" : (MARKS[item.how] || "") + item.tool, "item " + (dot ? "dot " + item.kind : MARKS[item.how] ? item.how : ""));
	b.type = "button";
	b.tabIndex = -1;
	b.style.left = share(item.from);
	if (!dot && item.how !== "unstarted") {
		b.style.width = share(item.to - item.from);
		if ((item.to - item.from) / span() < 0.02)
			b.classList.add("tiny");
	}
	b.setAttribute("aria-label", plain(label_of(item)));
	b.title = plain(label_of(item));
	b.addEventListener("click", () => choose(item));
	item.button = b;
}

function draw_row(name, lane, first) {
	const row = element($("rows"), "div", undefined, "row" + (first ? " first" : ""));
	element(row, "div", name, "name").title = plain(name);
	const track = element(row, "div", undefined, "track");
	for (const item of model.items) {
		if (item.lane !== lane)
			continue;
		if (item.kind === "call" && item.from - item.issued >= 1000) {
			const q = element(track, "div", undefined, "queued");
			q.style.left = share(item.issued);
			q.style.width = share(item.from - item.issued);
		}
		draw_item(track, item);
	}
	return track;
}

function draw_rows() {
	const script = draw_row("script", -1, true);
	for (const t of model.turns) {
		const e = element(script, "div", undefined, "turn");
		e.style.left = share(t.from);
		e.style.width = share(t.to - t.from);
		script.prepend(e);
	}
	model.lanes.forEach((name, i) => draw_row(name, i, !/ \d+$/.test(name)));
	buttons = model.items.slice().sort((a, b) => a.from - b.from || a.lane - b.lane).map(item => item.button);
	model.items.forEach(item => (item.button.item = item));
	if (buttons.length)
		buttons[0].tabIndex = 0;
}

function draw_axis() {
	$("axis").textContent = "";
	const most = Math.max(2, Math.floor($("chart").clientWidth / 110));
	const raw = span() / most, ten = 10 ** Math.floor(Math.log10(raw));
	const step = [1, 2, 5, 10].map(n => n * ten).find(n => n >= raw);
	for (let us = 0; us <= span() * 0.97; us += step)
		element($("axis"), "span", us ? duration(us) : "0").style.left = share(us);
}

function set_zoom(to) {
	zoom = Math.min(256, Math.max(1, to));
	$("chart").style.width = (100 * zoom) + "%";
	for (const item of model.items)
		if (item.kind === "call" && item.how !== "unstarted")
			item.button.classList.toggle("tiny", zoom * (item.to - item.from) / span() < 0.02);
	draw_axis();
	chosen?.button.scrollIntoView({ block: "nearest", inline: "center" });
}

function draw_source() {
	const text = String(model.script);
	text.replace(/\n$/, "").split(/\r?\n/).forEach((line, i) => {
		const li = element($("lines"), "li", undefined);
		element(li, "span", line);
		const calls = model.items.filter(c => c.kind === "call" && c.line === i + 1);
		if (calls.length === 0)
			return;
		li.classList.add("calls");
		li.title = calls.length === 1 ? "1 call" : calls.length + " calls";
		li.addEventListener("click", () => go_to(calls[(calls.indexOf(chosen) + 1) % calls.length]));
	});
}

// ------------------------------------------------------------------- details

function put_facts(body, facts) {
	const dl = element(body, "dl");
	for (const [name, words] of facts) {
		if (words === undefined || words === "")
			continue;
		element(dl, "dt", name);
		element(dl, "dd", words);
	}
}

function put_text(body, title, words, bad) {
	element(body, "h3", title, bad ? "bad" : "");
	element(body, "pre", words, bad ? "bad" : "");
}

// Of a value, or of the beginning of a longer one.
function put_value(body, title, item, name) {
	if (item[name + "Head"] !== undefined)
		put_text(body, title + " (the beginning)", item[name + "Head"]);
	else if (item[name] !== undefined)
		put_text(body, title, typeof item[name] === "string" ? item[name] : JSON.stringify(item[name], null, 2));
}

function show_call(body, c) {
	put_facts(body, [["Status", status(c)], ["Rule", c.decision], ["Line", c.line || ""], ["Waited", c.from - c.issued >= 1000 ? duration(c.from - c.issued) : ""],
		["Took", c.how === "unstarted" ? "" : duration(c.to - c.from)], ["Began", duration(c.from)], ["Reply", c.bytes ? size(c.bytes) : ""]]);
	if (c.message)
		put_text(body, "Error", c.message, true);
	put_value(body, "Arguments", c, "args");
	put_value(body, "Result", c, "result");
}

function show_other(body, item) {
	put_facts(body, [["At", duration(item.from)], ["Of", item.kind === "print" ? item.output : item.how], ["Call", item.call], ["Size", item.bytes ? size(item.bytes) : ""]]);
	if (item.text !== undefined)
		put_text(body, "Text", item.text);
}

function show_outcome(body) {
	const e = model.end;
	if (e.error)
		put_text(body, "Error", [e.error.name && e.error.name !== "Error" ? e.error.name + ": " : "", e.error.message, e.error.excerpt ? "\n\n" + e.error.excerpt : ""].join(""), true);
	put_value(body, "Value", e, "value");
	for (const w of Array.isArray(e.warnings) ? e.warnings : [])
		put_text(body, "Warning", w.message + (w.excerpt ? "\n\n" + w.excerpt : ""));
	for (const item of model.items.filter(i => i.kind === "cut"))
		element(body, "p", item.how + " was cut" + (item.bytes ? ": it has " + size(item.bytes) : ""), "note");
	if (e.dropped)
		element(body, "p", e.dropped + " events found no room in the trace", "note");
	if (!body.hasChildNodes())
		element(body, "p", e.how ? "It returned nothing." : "The trace has no end: the program was stopped.", "note");
}

function show_details() {
	const body = $("body");
	body.textContent = "";
	$("details-title").textContent = !chosen ? "Outcome" : chosen.kind === "call" ? plain("Call " + chosen.call + " of " + chosen.tool) : { print: "Output", cut: "Cut", decision: "Decision" }[chosen.kind];
	if (!chosen)
		show_outcome(body);
	else
		(chosen.kind === "call" ? show_call : show_other)(body, chosen);
}

function choose(item) {
	for (const e of document.querySelectorAll(".chosen"))
		e.classList.remove("chosen");
	chosen?.button.removeAttribute("aria-current");
	chosen = item;
	if (item) {
		item.button.classList.add("chosen");
		item.button.setAttribute("aria-current", "true");
		for (const b of buttons)
			b.tabIndex = b === item.button ? 0 : -1;
		const line = $("lines").children[item.line - 1];
		line?.classList.add("chosen");
		line?.scrollIntoView({ block: "nearest" });
	}
	show_details();
}

function go_to(item) {
	choose(item);
	item.button.focus({ preventScroll: true });
	item.button.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// ---------------------------------------------------------------------- keys

// The nearest item of the next lane that has one.
function beside(item, step) {
	for (let lane = item.lane + step; lane >= -1 && lane < model.lanes.length; lane += step) {
		const there = model.items.filter(i => i.lane === lane);
		if (there.length)
			return there.reduce((a, b) => Math.abs(b.from - item.from) < Math.abs(a.from - item.from) ? b : a);
	}
	return item;
}

function on_key(e) {
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	const at = buttons.indexOf(document.activeElement), item = buttons[at]?.item;
	const to = item && { ArrowRight: () => buttons[at + 1]?.item, ArrowLeft: () => buttons[at - 1]?.item, ArrowDown: () => beside(item, 1), ArrowUp: () => beside(item, -1), Home: () => buttons[0].item, End: () => buttons.at(-1).item }[e.key];
	if (e.key === "+" || e.key === "=" || e.key === "-")
		set_zoom(e.key === "-" ? zoom / 2 : zoom * 2);
	else if (e.key === "Escape") {
		const from = chosen;
		choose(null);
		(from?.button ?? buttons[0])?.focus();
	} else if (to)
		go_to(to() ?? item);
	else if (item && e.key === "Enter") {
		choose(item);
		$("details").focus();
	} else
		return;
	e.preventDefault();
}

// ---------------------------------------------------------------------- page

function put_figures() {
	const calls = model.items.filter(c => c.kind === "call"), failed = calls.filter(c => c.how !== "ok").length;
	const received = calls.reduce((n, c) => n + (Number(c.bytes) || 0), 0);
	const facts = [["took", duration(model.took)], ["calls", calls.length], ["not ok", failed || undefined], ["received", received ? size(received) : undefined],
		["given back", model.end.given !== undefined ? size(model.end.given) : undefined], ["began", model.time.replace("T", " ").replace(/\.\d+Z$/, " UTC")]];
	for (const [name, words] of facts) {
		if (words === undefined)
			continue;
		const div = element($("figures"), "div");
		element(div, "dt", name);
		element(div, "dd", words);
	}
	const how = model.end.how || "no end";
	$("outcome").textContent = plain(how);
	$("outcome").classList.toggle("bad", how !== "ok");
	$("title").textContent = plain(String(model.script).match(/\w[^\n]*/)?.[0].slice(0, 90) || "A script");
	document.title = plain(how + ": a script of codemode");
}

const data = JSON.parse($("data").textContent);
model = data.record ? of_record(data.record) : of_trace(data);
model.took = [...model.turns, ...model.items].reduce((latest, e) => Math.max(latest, e.to), Number(model.end.ts) || 0);
model.span = Math.max(1, model.took * 1.02);
for (const item of model.items)
	if (item.how === "open")
		item.to = model.took;
put_figures();
draw_rows();
draw_source();
set_zoom(1);
show_details();
document.addEventListener("keydown", on_key);
addEventListener("resize", draw_axis);
$("in").addEventListener("click", () => set_zoom(zoom * 2));
$("out").addEventListener("click", () => set_zoom(zoom / 2));
