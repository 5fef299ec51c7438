/* SPDX-License-Identifier: MIT */
/*
 * config_edit.h -- changes the text of a configuration without writing the rest
 * of it anew: comments, order and white space stay.
 */
#ifndef CMD_CONFIG_EDIT_H
#define CMD_CONFIG_EDIT_H

#include "config_text.h"

/* JSON: appends to out the text of t with a member more at the end of object, a
 * value of t->document. value is JSON in one line. */
void edit_json_add(const config_text *t, json object, const char *name,
    const char *value, buf *out);
/* JSON: the same with `value` in place of the value `old`. */
void edit_json_replace(
    const config_text *t, json old, const char *value, buf *out);

/* TOML: a table [root.name] at the end; lines are its content. */
void edit_toml_add(const config_text *t, const char *root, const char *name,
    const char *lines, buf *out);
/* TOML: without the tables [root.name] for any name. */
void edit_toml_cut(const config_text *t, const char *root, buf *out);

/* YAML: removes the members of the block root for which `cut` returns true.
 * Comments between members stay. */
void edit_yaml_cut(const config_text *t, const char *root,
    bool (*cut)(json name, json value), buf *out);
/* YAML: a mapping `name` as the first one of the block root; lines are its
 * content, each ended by a line break. */
void edit_yaml_add(const config_text *t, const char *root, const char *name,
    const char *lines, buf *out);

#endif
