// SPDX-License-Identifier: MIT
//
// inject/tr46.js -- what whatwg-url gets for tr46: a host name in ASCII needs
// no tables, unless it says that it is encoded.

exports.toASCII = (domain, options) =>
	options.checkHyphens || options.verifyDNSLength || /[^\x00-\x7f]|(^|\.)xn--/i.test(domain)
		? require("codemode:idna").toASCII(domain, options)
		: domain.toLowerCase();
