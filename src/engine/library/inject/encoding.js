// SPDX-License-Identifier: MIT
//
// inject/encoding.js -- what TextEncoder and TextDecoder are in a package.

export { TextDecoder, TextEncoder } from "codemode:encoding";
