// SPDX-License-Identifier: MIT
//
// shop.mjs -- makes what the eight tasks are about: a small web shop.
//
//	node22 shop.mjs FOLDER
//
// FOLDER becomes a git repository with 60 commits by five authors, 24 source files, a log of 3,000 lines, invoices, a
// database (shop.db) and the memory of server-memory (memory.jsonl). It is the same each time, to the hash.

import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const folder = process.argv[2];
const at = (...names) => join(folder, ...names);

/** Numbers below n that look random and are always the same. */
let seed = 1;
const below = (n) => (seed = (seed * 48271) % 0x7fffffff) % n;
const one = (list) => list[below(list.length)];
const many = (n, make) => Array.from({ length: n }, (_, i) => make(i));

const AUTHORS = ["Ada", "Bo", "Chen", "Dora", "Emil"];
const PARTS = ["cart", "order", "price", "stock", "user", "mail"];
const KINDS = ["model", "store", "view", "rules"];
const FILES = PARTS.flatMap((part) => KINDS.map((kind) => `src/${part}_${kind}.js`));

function git(args, author, day) {
	const date = `2026-01-01T12:00:00Z`.replace("01T", `${String(1 + day % 28).padStart(2, "0")}T`).replace("-01-", `-0${1 + Math.floor(day / 28)}-`);
	const mail = `${author.toLowerCase()}@shop.example`;
	execFileSync("git", ["-C", folder, "-c", `user.name=${author}`, "-c", `user.email=${mail}`, "-c", "init.defaultBranch=main", ...args],
		{ stdio: "ignore", env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" } });
}

const source = (file) => many(14, (i) => `// Part ${i} of ${file}.\nexport function part${i}(input) {\n\treturn input.value + ${below(1000)};\n}\n`).join("\n");

function history() {
	git(["init", "-q"], "Ada", 0);
	FILES.forEach((file) => writeFileSync(at(file), source(file)));
	git(["add", "src"], "Ada", 0);
	git(["commit", "-q", "-m", "The first version"], "Ada", 0);
	for (let day = 1; day < 60; day++) {
		const author = one(AUTHORS), files = many(1 + below(4), () => FILES[Math.floor(below(576) ** 0.5)]);
		for (const file of files)
			appendFileSync(at(file), many(1 + below(9), (i) => below(8) === 0
				? `// TODO(${author}): check step ${i} of day ${day}\n` : `export const day${day}_${i} = ${below(10000)};\n`).join(""));
		git(["add", "src"], author, day);
		git(["commit", "-q", "-m", `Day ${day}: ${one(["mend", "extend", "tidy"])} ${files[0].slice(4, -3)}`], author, day);
	}
}

function log() {
	const line = (i) => {
		const time = new Date(Date.UTC(2026, 2, 1) + i * 28800).toISOString();
		const [level, words] = one([["INFO", "served"], ["INFO", "served"], ["INFO", "cached"], ["WARN", "slow"], ["ERROR", one(["timeout of", "refused by"])]]);
		return `${time} ${level.padEnd(5)} ${one(PARTS)} ${words} request ${below(1e6)} in ${below(900)} ms\n`;
	};
	mkdirSync(at("logs"));
	writeFileSync(at("logs/app.log"), many(3000, line).join(""));
}

function orders() {
	const db = new DatabaseSync(at("shop.db"));
	db.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
		CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers, cents INTEGER, day TEXT, paid INTEGER)`);
	const customer = db.prepare("INSERT INTO customers VALUES (?, ?, ?)");
	const order = db.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?)");
	for (let i = 1; i <= 40; i++) customer.run(i, `Customer ${i}`, one(["AT", "DE", "FR", "IT"]));
	mkdirSync(at("invoices"));
	for (let i = 1; i <= 400; i++) {
		const paid = below(5) > 0, lost = i % 57 === 0;
		order.run(i, 1 + below(40), 500 + below(20000), `2026-02-${String(1 + below(28)).padStart(2, "0")}`, paid ? 1 : 0);
		if (paid && !lost) writeFileSync(at("invoices", `order-${String(i).padStart(4, "0")}.txt`), `Invoice of order ${i}\n`);
	}
	db.close();
}

function memory() {
	const people = many(90, (i) => ({ type: "entity", name: `Person ${i}`, entityType: "person",
		observations: [`works on ${one(PARTS)}`, `lives in ${one(["Graz", "Lyon", "Turin", "Bremen"])}`, `joined in ${2015 + below(11)}`] }));
	const teams = many(9, (i) => ({ type: "entity", name: `Team ${i}`, entityType: "team", observations: [`owns ${one(PARTS)}`] }));
	const relations = people.map((p) => ({ type: "relation", from: p.name, to: `Team ${below(9)}`, relationType: "member of" }));
	writeFileSync(at("memory.jsonl"), [...people, ...teams, ...relations].map((x) => JSON.stringify(x)).join("\n"));
}

mkdirSync(at("src"), { recursive: true });
history();
log();
orders();
memory();
