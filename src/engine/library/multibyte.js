// SPDX-License-Identifier: MIT
//
// multibyte.js -- the tables of gbk, shift_jis and the like for TextDecoder.

export { createMultibyteDecoder } from "@exodus/bytes/multi-byte.js";
