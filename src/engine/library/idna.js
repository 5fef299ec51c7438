// SPDX-License-Identifier: MIT
//
// idna.js -- the tables of host names that are not ASCII. By its path, because
// inject/tr46.js stands for the package's name.

export { toASCII } from "../../../engine-quickjs/node_modules/tr46/index.js";
