// SPDX-License-Identifier: MIT
//
// browser.mjs CODEMODE SERVER NPM: the page of `codemode view` in a browser: what a person sees, by mouse and by keys, and
// what a hostile trace cannot do.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , codemode, server, npm] = process.argv;
const chromium = process.env.PATH.split(delimiter).map(folder => join(folder, "chromium")).find(existsSync);
if (!chromium) {
	console.log("there is no chromium here: ./setup extra installs it");
	process.exit(77);
}
const { chromium: driver } = createRequire(join(npm, "package.json"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "view-"));
const env = { ...process.env, CODEMODE_MCP: "none" };
const run = (...args) => spawnSync(codemode, args, { encoding: "utf8", env });

// What models and servers may say: ends of elements and comments, lines that are none in JavaScript, text that turns.
const EVIL = "</script><script>document.title='owned'</script><!--<script><img src=x onerror=\"document.title='owned'\">\u2028\u2029\u202egnp.\u2066\u200b&lt;";
const SCRIPT = `// What is seen of a script
const a = await Promise.all([1, 2, 3].map(n =>
	tools.github.sleep({ ms: 30, n })));
text(${JSON.stringify(EVIL)});
try {
	await tools.tracker.fail({ text: ${JSON.stringify(EVIL)} });
} catch {}
tools.tracker.echo({ evil: ${JSON.stringify(EVIL)} });
await tools.github.sleep({ ms: 1, after: true });
tools.github.hang({});
await new Promise(r => setTimeout(r, 30));
throw new Error(${JSON.stringify(EVIL)});
`;

function page_of(name, ...options) {
	const dir = join(folder, name), html = join(folder, name + ".html");
	const file = options.includes("--record") ? options[options.indexOf("--record") + 1] : null;
	run("run", "-q", "--trace", dir, "--concurrency", "2", ...options, "--mcp-server", `github=${server}`, "--mcp-server", `tracker=${server}`, "-e", SCRIPT);
	const view = run("view", "--output", html, file ?? join(dir, readdirSync(dir)[0]));
	assert.equal(view.status, 0, view.stderr);
	return html;
}

const browser = await driver.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

// A page whose errors, and whose wishes for anything from elsewhere, are kept.
async function open(html, options = {}) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
	page.setDefaultTimeout(120000); // the machine may be busy
	page.faults = [];
	page.on("pageerror", e => page.faults.push(String(e)));
	page.on("console", m => page.faults.push(m.text()));
	page.on("request", r => r.url() !== page.url() && !r.url().startsWith("file:") && page.faults.push("request " + r.url()));
	await page.goto(pathToFileURL(html).href);
	return page;
}

const texts = (page, selector) => page.locator(selector).allTextContents();
const focused = page => page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.id);

// Contrast as WCAG 2 counts it, of an element's text on what lies behind it.
const contrast = (page, selector) => page.locator(selector).first().evaluate(e => {
	const channels = css => css.match(/[\d.]+/g).map(Number);
	const light = c => channels(c).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	let behind = e;
	while (behind.parentElement && channels(getComputedStyle(behind).backgroundColor)[3] === 0)
		behind = behind.parentElement;
	const [a, b] = [light(getComputedStyle(e).color), light(getComputedStyle(behind).backgroundColor)].sort((x, y) => y - x);
	return (a + 0.05) / (b + 0.05);
});

const cases = {
	async "what a person sees"() {
		const page = await open(page_of("seen"));
		assert.equal(await page.locator("#outcome").textContent(), "failed");
		assert.deepEqual((await texts(page, ".row .name")).filter(n => !/ \d$/.test(n)), ["script", "github", "tracker"]);
		assert.equal(await page.locator(".item.failed").count(), 1);
		assert.ok(await page.locator(".queued").count() >= 1);
		assert.ok(await page.locator(".turn").count() >= 2);
		assert.match(await page.locator("#body").textContent(), /owned/); // of the Error, as text
		assert.equal(await page.locator("#lines li").count(), 12);
		await page.locator(".item.failed").dispatchEvent("click"); // another call may lie over a short one
		assert.match(await page.locator("#details-title").textContent(), /Call 4 of tracker\.fail/);
		assert.deepEqual(await texts(page, "#body h3"), ["Error", "Arguments"]);
		assert.match((await texts(page, "#body dd")).join("|"), /failed\|allowed\|6\|/);
		assert.equal(await page.locator("#lines li.chosen").evaluate(e => [...e.parentElement.children].indexOf(e)), 5);
		await page.locator("#lines li").nth(2).click();
		assert.match(await page.locator("#details-title").textContent(), /Call 1 of github\.sleep/);
		assert.match((await texts(page, "#body pre"))[0], /"ms": 30/);
		await page.locator("#lines li").nth(2).click();
		assert.match(await page.locator("#details-title").textContent(), /Call 2 /);
		await page.locator(".item.dot").first().click();
		assert.equal(await page.locator("#details-title").textContent(), "Output");
		assert.deepEqual(page.faults, []);
	},
	async "keys alone"() {
		const page = await open(join(folder, "seen.html"));
		for (let i = 0; i < 3; i++)
			await page.keyboard.press("Tab"); // two buttons, then the first call
		assert.match(await focused(page), /^call 1, github\.sleep, .*line 3$/);
		await page.keyboard.press("ArrowRight");
		assert.match(await focused(page), /^call 2/);
		assert.match(await page.locator("#details-title").textContent(), /Call 2/);
		await page.keyboard.press("End");
		assert.doesNotMatch(await focused(page), /^call 2/);
		await page.keyboard.press("Home");
		await page.keyboard.press("ArrowDown");
		assert.match(await focused(page), /^call 2/);
		const width = await page.locator("*:focus").evaluate(e => parseFloat(getComputedStyle(e).outlineWidth));
		assert.ok(width >= 2, "the focus is seen");
		await page.keyboard.press("Enter");
		assert.equal(await focused(page), "details");
		await page.keyboard.press("Escape");
		assert.match(await focused(page), /^call 2/);
		assert.equal(await page.locator("#details-title").textContent(), "Outcome");
		const before = await page.locator("#chart").evaluate(e => e.clientWidth);
		await page.keyboard.press("+");
		assert.ok(await page.locator("#chart").evaluate(e => e.clientWidth) >= 1.9 * before);
		assert.equal(await page.locator("button:not([aria-label])").count(), 0);
	},
	async "hostile text stays text"() {
		for (const html of [join(folder, "seen.html"), page_of("recorded", "--record", join(folder, "r"))]) {
			const page = await open(html);
			for (let n = await page.locator(".item").count(); n-- > 0;)
				await page.locator(".item").nth(n).click({ force: true });
			assert.match(await page.title(), /: a script of codemode$/);
			assert.equal(await page.locator("img, iframe, body script:not(#data):not([nonce])").count(), 0);
			assert.equal(await page.evaluate(() => document.scripts.length), 2);
			assert.ok(!/[\u202e\u2066\u200b\u2028]/.test(await page.locator("main").textContent()));
			assert.match(await page.locator("#lines").textContent(), /<U\+202E>gnp/);
			assert.deepEqual(page.faults, []);
			// What stands in the file could not begin an element either.
			const data = readFileSync(html, "utf8").match(/id="data">([^]*?)<\/script>/)[1];
			assert.ok(!/[<>&]/.test(data) && JSON.parse(data));
		}
	},
	async "times beyond all numbers are drawn, too"() {
		const file = join(folder, "times.trace.json"), html = join(folder, "times.html");
		writeFileSync(file, '{"otherData":{"script":"1"},"traceEvents":[{"name":"turn","ph":"X","tid":1,"ts":-1e999,"dur":1e999},' +
			'{"name":"s.f","cat":"call","ph":"B","tid":2,"ts":1e999,"args":{"call":1,"tool":"s.f","issued":-1e999}},{"name":"end","ph":"i","tid":1,"ts":1e999,"args":{"how":"ok"}}]}');
		assert.equal(run("view", "--output", html, file).status, 0);
		const page = await open(html);
		assert.deepEqual(page.faults, []);
		assert.equal((await texts(page, "#rows .item")).length, 1);
		assert.ok((await texts(page, "#axis span")).length > 1);
	},
	async "nothing comes from elsewhere, whatever the page wants"() {
		let asked = 0;
		const web = createServer((q, a) => (asked++, a.end("x"))).listen(0, "127.0.0.1");
		await new Promise(done => web.once("listening", done));
		const page = await open(join(folder, "seen.html"));
		await page.evaluate(async url => {
			await fetch(url).catch(() => 0);
			for (const [name, at] of [["img", "src"], ["script", "src"], ["iframe", "src"]]) {
				const e = document.createElement(name);
				e[at] = url;
				document.body.append(e);
			}
			const inline = document.createElement("script");
			inline.textContent = "document.title = 'owned'";
			document.body.append(inline);
			await new Promise(done => setTimeout(done, 200));
		}, `http://127.0.0.1:${web.address().port}/`);
		assert.equal(asked, 0);
		assert.notEqual(await page.title(), "owned");
		web.close();
	},
	async "light and dark, with contrast"() {
		const backgrounds = [];
		for (const colorScheme of ["light", "dark"]) {
			const page = await open(join(folder, "seen.html"), { colorScheme });
			await page.locator(".item.failed").dispatchEvent("click"); // another call may lie over a short one
			backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
			for (const selector of ["h1", "dt", "dd", "h2", ".row.first .name", "#lines li", "#body pre", "#body h3.bad", ".item:not(.dot):not(.failed)", ".item.failed", "#axis span", "#keys", "#outcome"])
				assert.ok(await contrast(page, selector) >= 4.5, `${selector} in ${colorScheme}: ${await contrast(page, selector)}`);
		}
		assert.notEqual(backgrounds[0], backgrounds[1]);
	},
	async "a trace that was cut, a small window, two thousand calls"() {
		const file = join(folder, "cut.json"), whole = readFileSync(join(folder, "seen", readdirSync(join(folder, "seen"))[0]), "utf8");
		for (const at of [0.5, 0.7, 0.97]) {
			writeFileSync(file, whole.slice(0, whole.indexOf("traceEvents") + (whole.length - whole.indexOf("traceEvents")) * at));
			assert.equal(run("view", "-o", join(folder, "cut.html"), file).status, 0);
			const page = await open(join(folder, "cut.html"), { viewport: { width: 400, height: 700 } });
			assert.equal(await page.locator("#outcome").textContent(), "no end");
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= 400), true);
			assert.deepEqual(page.faults, []);
		}
		run("run", "-q", "--trace", join(folder, "many"), "--mcp-server", `s=${server}`, "-e", "for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 100 }, (_, n) => tools.s.echo({ n })))");
		assert.equal(run("view", "-o", join(folder, "many.html"), join(folder, "many", readdirSync(join(folder, "many"))[0])).status, 0);
		const page = await open(join(folder, "many.html"));
		assert.equal(await page.locator(".item").count(), 2000);
		assert.deepEqual(page.faults, []);
	},
};

try {
	for (const [name, test] of Object.entries(cases)) {
		try {
			await test();
		} catch (e) {
			console.error(`${name}: ${e.stack}`);
			process.exitCode = 1;
		}
	}
} finally {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(cases).length} cases of pages`);
