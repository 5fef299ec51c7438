// SPDX-License-Identifier: MIT
//
// intl_values.js -- Intl.supportedValuesOf.

import { all_currencies, all_units } from "codemode:intl_number";
import { all_zones } from "codemode:intl_zone";

const VALUES = {
	calendar: () => ["gregory"], collation: () => ["default"], numberingSystem: () => ["latn"],
	currency: all_currencies, unit: all_units, timeZone: all_zones,
};

export const supportedValuesOf = (key) => {
	if (!Object.hasOwn(VALUES, String(key)))
		throw new RangeError("Invalid key : " + key);
	return VALUES[key]();
};
