// SPDX-License-Identifier: MIT
//
// url.js -- URL and URLSearchParams. The package's parser goes character by
// character, a microsecond or ten for each; most addresses need no more than
// one regular expression.

import { URL, URLSearchParams } from "whatwg-url";
import parser from "../../../engine-quickjs/node_modules/whatwg-url/lib/url-state-machine.js";

// http and https, a host name in small letters, no user, no . or .. in the path,
// and nothing that has to be escaped.
const PLAIN = /^(?!.*xn--|[^?#]*(?:\/\.|%2[eE]))(https?):\/\/((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)(?::([0-9]{1,4}))?(?:\/([\w\-.~!$&'()*+,;=:@/%]*))?(?:\?([\w\-.~!$&()*+,;=:@/?%]*))?(?:#([\w\-.~!$&'()*+,;=:@/?%]*))?$/;
const DEFAULT_PORTS = { __proto__: null, http: 80, https: 443 };

const parse_plain = (input) => {
	const found = PLAIN.exec(input);
	if (found === null)
		return null;
	const [, scheme, host, port, path = "", query = null, fragment = null] = found;
	const number = port === undefined || +port === DEFAULT_PORTS[scheme] ? null : +port;
	return { scheme, username: "", password: "", host, port: number, path: path.split("/"), query, fragment };
};

const { basicURLParse } = parser;
parser.basicURLParse = (input, options) =>
	(options?.url === undefined && options?.stateOverride === undefined ? parse_plain(input) : null) ?? basicURLParse(input, options);

// JSON would make {} of a query: here it is its text, as an address is.
Object.defineProperty(URLSearchParams.prototype, "toJSON",
	{ value() { return this.toString(); }, writable: true, enumerable: false, configurable: true });

export { URL, URLSearchParams };
