// SPDX-License-Identifier: MIT
//
// intl_zone_names.js -- what time zones are called in English.

export { zone_names } from "intl/zone_names.js";
