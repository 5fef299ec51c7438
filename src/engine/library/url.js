// SPDX-License-Identifier: MIT
//
// url.js -- URL and URLSearchParams.

export { URL, URLSearchParams } from "whatwg-url";
