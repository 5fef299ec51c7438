/* SPDX-License-Identifier: MIT */
/*
 * toml_json.cc -- walks the tree that toml++ reads.
 *
 * The library is C++, so this file is. It throws nothing.
 */
#include "toml_json.h"

/* The library asserts some of what it then checks and reports: text such as
 * "[/]" would end the program. Without the assertions it is an error. */
#undef NDEBUG
#define TOML_ASSERT(x) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cinttypes>
#include <cstdio>

namespace
{

void
write_text(const toml_out &out, std::string_view text)
{
	out.bytes(out.ctx, text.data(), text.size());
}

void
write_string(const toml_out &out, std::string_view text)
{
	out.string(out.ctx, text.data(), text.size());
}

int
print_date(char *to, size_t size, const toml::date &d)
{
	return snprintf(to, size, "%04d-%02d-%02d", d.year, d.month, d.day);
}

int
print_time(char *to, size_t size, const toml::time &t)
{
	return snprintf(to, size, "%02d:%02d:%02d", t.hour, t.minute, t.second);
}

void
write_scalar(const toml_out &out, const toml::node &node)
{
	char text[64] = "null";

	if (auto s = node.as_string())
		return write_string(out, s->get());
	if (auto n = node.as_integer())
		snprintf(text, sizeof(text), "%" PRId64, n->get());
	else if (auto b = node.as_boolean())
		snprintf(text, sizeof(text), "%s", b->get() ? "true" : "false");
	else if (auto f = node.as_floating_point(); f && f->get() - f->get() == 0)
		snprintf(text, sizeof(text), "%.17g", f->get());
	if (!node.is_date() && !node.is_time() && !node.is_date_time())
		return write_text(out, text);
	if (auto d = node.as_date())
		print_date(text, sizeof(text), d->get());
	else if (auto t = node.as_time())
		print_time(text, sizeof(text), t->get());
	else if (auto dt = node.as_date_time()) {
		int n = print_date(text, sizeof(text), dt->get().date);

		text[n++] = 'T';
		print_time(text + n, sizeof(text) - n, dt->get().time);
	}
	write_string(out, text);
}

/* toml++ bounds how deep values are nested. */
void
write_node(const toml_out &out, const toml::node &node)
{
	const char *before = "";

	if (auto table = node.as_table()) {
		write_text(out, "{");
		for (auto &&[key, value] : *table) {
			write_text(out, before);
			before = ",";
			out.line(out.ctx, key.source().begin.line);
			write_string(out, key.str());
			write_text(out, ":");
			out.line(out.ctx, value.is_table()
				? key.source().begin.line
				: value.source().begin.line);
			write_node(out, value);
		}
		write_text(out, "}");
	} else if (auto array = node.as_array()) {
		write_text(out, "[");
		for (auto &&value : *array) {
			write_text(out, before);
			before = ",";
			out.line(out.ctx, value.source().begin.line);
			write_node(out, value);
		}
		write_text(out, "]");
	} else {
		write_scalar(out, node);
	}
}

} // namespace

bool
toml_to_json(const char *toml, size_t len, const toml_out *out, unsigned *line,
    unsigned *column, char *why, size_t size)
{
	auto result = toml::parse(std::string_view(toml, len));

	if (!result) {
		auto what = result.error().description();

		*line = result.error().source().begin.line;
		*column = result.error().source().begin.column;
		snprintf(why, size, "%.*s", (int)what.size(), what.data());
		return false;
	}
	write_node(*out, result.table());
	return true;
}
