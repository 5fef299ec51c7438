// Intl for en-US. test/intl compares it with Node; this is what Node cannot say.
//// numbers and dates for people
const t = new Date("2031-03-09T17:04:05Z");
return [(9876543.21).toLocaleString(), (0.375).toLocaleString("en-US", { style: "percent", minimumFractionDigits: 1 }),
	(12.5).toLocaleString("en-US", { style: "currency", currency: "EUR" }), 12345678901234567890n.toLocaleString(),
	t.toLocaleDateString("en-US", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" }),
	t.toLocaleTimeString("en-US", { timeZone: "Asia/Kolkata", hour12: false }),
	[1234, t, undefined].toLocaleString("en-US", { timeZone: "UTC" })];
// => ["9,876,543.21","37.5%","€12.50","12,345,678,901,234,567,890","Sunday, March 9","22:34:05","1,234,3/9/2031, 5:04:05 PM,"]
//// time zones come from the machine's tzdata, also in a worker
const at = (timeZone, s) => new Date(s).toLocaleString("en-US", { timeZone, dateStyle: "short", timeStyle: "long" });
return [at("America/New_York", "2024-03-10T06:59:59Z"), at("America/New_York", "2024-03-10T07:00:00Z"),
	at("europe/dublin", "2024-07-01T00:00:00Z"), at("Asia/Kathmandu", "2024-07-01T00:00:00Z"), at("-03:30", "2024-07-01T00:00:00Z"),
	at("Australia/Lord_Howe", "2190-01-01T00:00:00Z")];
// => ["3/10/24, 1:59:59 AM EST","3/10/24, 3:00:00 AM EDT","7/1/24, 1:00:00 AM GMT+1","7/1/24, 5:45:00 AM GMT+5:45","6/30/24, 8:30:00 PM GMT-3:30","1/1/90, 11:00:00 AM GMT+11"]
//// a time zone that is none
return ["Moon/Tycho", "../../etc/passwd", "/etc/localtime", "", "a".repeat(9999), "UTC\0", "Europe", "zone.tab", "tzdata.zi"].map((timeZone) => {
	try { return new Date(0).toLocaleString("en-US", { timeZone }); } catch (e) { return e.name; }
}).join();
// => "RangeError,RangeError,RangeError,RangeError,RangeError,RangeError,RangeError,RangeError,RangeError"
//// another locale is answered in en-US, with one warning
return [(1.5).toLocaleString("de-DE"), (2.5).toLocaleString("fr"), new Intl.NumberFormat("ja-JP").resolvedOptions().locale];
// => ["1.5","2.5","en-US"]
// warning: Intl has the locale en-US only: "de-DE" is answered in en-US
//// what is asked for wrongly is an error
const of = (f) => { try { return f(); } catch (e) { return e.name; } };
return [of(() => (1).toLocaleString("e")), of(() => (1).toLocaleString("en", { style: "currency" })), of(() => (1).toLocaleString("en", { style: "money" })),
	of(() => new Date(0).toLocaleTimeString("en", { dateStyle: "short" })), of(() => (1).toLocaleString("en", { maximumFractionDigits: 101 }))];
// => ["RangeError","TypeError","RangeError","TypeError","RangeError"]
//// texts in the order that people expect
const words = ["Zoë", "zebra", "Österreich", "oslo", "Oslo", "item 12", "item 2", "été", "ete", "日本", "かな"];
return [words.toSorted((a, b) => a.localeCompare(b)), ["r10", "R9", "r1"].sort(new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare),
	"resume".localeCompare("Résumé", "en", { sensitivity: "base" }), "a".localeCompare("b"), "a".localeCompare("A")];
// => [["ete","été","item 12","item 2","oslo","Oslo","Österreich","zebra","Zoë","かな","日本"],["r1","R9","r10"],0,-1,-1]
//// what people take for one character
return [...new Intl.Segmenter("en").segment("né́👩‍👧‍👦🇫🇷")].map((s) => s.segment.length).join();
// => "1,2,8,4"
//// Intl shows no function of the environment
return [/native code/.test(String(Number.prototype.toLocaleString)), Object.keys(Intl), Intl.toString(), Intl.NumberFormat.name, Intl.NumberFormat.supportedLocalesOf(["en-GB", "en-US", "de"])];
// => [true,[],"[object Intl]","NumberFormat",["en-US"]]
//// what can be called without new, and subclassed
class Mine extends Intl.NumberFormat { twice(n) { return this.format(2 * n); } }
const d = Intl.DateTimeFormat("en", { timeZone: "Asia/Tokyo" });
return [d.resolvedOptions().timeZone, d instanceof Intl.DateTimeFormat, Intl.NumberFormat().format(1e4), ["b", "a"].sort(Intl.Collator().compare),
	new Mine().twice(600), d.constructor === Intl.DateTimeFormat, Intl.DateTimeFormat.length, Object.prototype.toString.call(d)];
// => ["Asia/Tokyo",true,"10,000",["a","b"],"1,200",true,0,"[object Intl.DateTimeFormat]"]
//// Temporal, with the zones of the machine
const leap = Temporal.PlainDate.from("2028-02-29");
const spring = Temporal.ZonedDateTime.from("2025-03-30T01:45[Europe/Berlin]");
return [leap.subtract({ years: 1 }), leap.until("2028-12-25").days, spring.add({ minutes: 30 }), spring.hoursInDay,
	new Date(1e12).toTemporalInstant(), Temporal.Duration.from("PT100M").round({ largestUnit: "hours" }),
	leap.toLocaleString("en-US", { dateStyle: "long" }), Temporal.Now.timeZoneId() === Intl.DateTimeFormat().resolvedOptions().timeZone];
// => ["2027-02-28",300,"2025-03-30T03:15:00+02:00[Europe/Berlin]",23,"2001-09-09T01:46:40Z","PT1H40M","February 29, 2028",true]
