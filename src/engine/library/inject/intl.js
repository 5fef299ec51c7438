// SPDX-License-Identifier: MIT
//
// inject/intl.js -- what packages get for Intl: ours, whatever the script has
// put there. It is loaded when they look at it.

export const Intl = {
	get DateTimeFormat() { return require("codemode:intl_date").DateTimeFormat; },
};
