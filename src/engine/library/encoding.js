// SPDX-License-Identifier: MIT
//
// encoding.js -- TextEncoder and TextDecoder.

export { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";
