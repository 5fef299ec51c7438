// SPDX-License-Identifier: MIT
// Date. A Date has one internal value, its time.

const DatePrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("date", DatePrototype);

const date_time = (v) => {
	if (!$is_object(v) || $class_of(v) !== CLASS_DATE)
		$throw_type("not a Date object");
	return $inner(v, 0);
};

const date_of_value = (v) => {
	if ($is_object(v) && $class_of(v) === CLASS_DATE)
		return $inner(v, 0);
	v = to_primitive(v, 0);
	return typeof v === "string" ? $date_parse(v) : $date_clip(+v);
};

// Numbers of a list, in order; the last field that counts is the seventh.
const date_of_list = (list, local) => {
	const n = list.length, f = [NaN, 0, 1, 0, 0, 0, 0];

	for (let i = 0; i < n && i < 7; i++)
		f[i] = +list[i];
	return $date_make(local, f[0], f[1], f[2], f[3], f[4], f[5], f[6]);
};

function Date(...list) {
	let time;

	if (new.target === undefined)
		return $date_text($date_now(), 0);
	if (list.length === 0)
		time = $date_now();
	else if (list.length === 1)
		time = date_of_value(list[0]);
	else
		time = date_of_list(list, true);
	const o = $create(prototype_for(new.target, DatePrototype), CLASS_DATE);
	$set_inner(o, 0, time);
	return o;
}
$define(Date, "length", 7, 4);
$constructor(Date, DatePrototype);
$methods(Date, {
	now() { return $date_now(); },
	parse(string) { return $date_parse($string_new(string)); },
	UTC(...list) { return date_of_list(list, false); },
});
$define(Date.UTC, "length", 7, 4);

// --------------------------------------------------------------------- getters

// A name, the number of its field, and how many arguments its setter takes.
const date_fields = [
	"FullYear", 0, 3, "Month", 1, 2, "Date", 2, 1, "Hours", 3, 4,
	"Minutes", 4, 3, "Seconds", 5, 2, "Milliseconds", 6, 1, "Day", 7, 0,
];

const date_field_methods = (name, field, most, local) => {
	const part = local ? name : `UTC${name}`;
	const get = `get${part}`, set = `set${part}`;

	$methods(DatePrototype, {
		[get]() { return $date_get(date_time(this), field, local); },
	});
	if (most === 0)
		return;
	const setter = (date, list) => {
		const time = date_time(date);
		const n = list.length === 0 ? 1
		    : list.length < most ? list.length : most;
		const f = [];

		for (let i = 0; i < n; i++)
			$define(f, i, +list[i], 7);
		if (time !== time && field !== 0)
			return NaN;
		const next = n === 1 ? $date_set(time, local, field, f[0])
		    : n === 2 ? $date_set(time, local, field, f[0], f[1])
		    : n === 3 ? $date_set(time, local, field, f[0], f[1], f[2])
		    : $date_set(time, local, field, f[0], f[1], f[2], f[3]);
		$set_inner(date, 0, next);
		return next;
	};
	const methods = {
		[set](...list) { return setter(this, list); },
	};
	$define(methods[set], "length", most, 4);
	$define(DatePrototype, set, methods[set], 5);
};

for (let i = 0; i < date_fields.length; i += 3) {
	date_field_methods(date_fields[i], date_fields[i + 1], date_fields[i + 2], true);
	date_field_methods(date_fields[i], date_fields[i + 1], date_fields[i + 2], false);
}

// ----------------------------------------------------------------------- texts

const finite_time = (v) => {
	const time = date_time(v);

	if (time !== time)
		$throw_range("Date value is NaN");
	return time;
};

$methods(DatePrototype, {
	getTime() { return date_time(this); },
	valueOf() { return date_time(this); },
	getTimezoneOffset() { return $date_zone(date_time(this)); },
	getYear() {
		return $date_get(date_time(this), 0, true) - 1900;
	},
	setYear(year) {
		const time = date_time(this);
		let y = +year;

		y = y !== y ? y : to_integer(y);
		if (y >= 0 && y <= 99)
			y += 1900;
		const next = $date_set(time, true, 0, y);
		$set_inner(this, 0, next);
		return next;
	},
	setTime(time) {
		date_time(this);
		const next = $date_clip(+time);
		$set_inner(this, 0, next);
		return next;
	},
	toString() { return $date_text(date_time(this), 0); },
	toDateString() { return $date_text(date_time(this), 1); },
	toTimeString() { return $date_text(date_time(this), 2); },
	toUTCString() { return $date_text(date_time(this), 3); },
	toISOString() { return $date_text(finite_time(this), 4); },
	toLocaleString() { return $date_text(date_time(this), 0); },
	toLocaleDateString() { return $date_text(date_time(this), 1); },
	toLocaleTimeString() { return $date_text(date_time(this), 2); },
	toJSON(key) {
		const o = to_object(this), time = to_primitive(o, 1);

		if (typeof time === "number" && !$is_finite(time))
			return null;
		return o.toISOString();
	},
});
$define(DatePrototype, "toGMTString", DatePrototype.toUTCString, 5);

const date_primitive = {
	[SymbolToPrimitive](hint) {
		if (!$is_object(this))
			$throw_type("not an object");
		if (hint !== "string" && hint !== "default" && hint !== "number")
			$throw_type("invalid hint");
		return ordinary_primitive(this, hint === "number" ? 1 : 2);
	},
};
$define(DatePrototype, SymbolToPrimitive, date_primitive[SymbolToPrimitive], 4);
expose("Date", Date);
