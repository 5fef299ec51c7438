// SPDX-License-Identifier: MIT
//
// performance.js -- performance.now() and timeOrigin.

const performance = {
	now() { return host.now(0); },
	get timeOrigin() { return host.now(1); },
	toJSON() { return { timeOrigin: host.now(1) }; },
};
