// SPDX-License-Identifier: MIT
//
// encoding.js -- TextEncoder and TextDecoder.

import { setMultibyte } from "../../../engine-quickjs/node_modules/@exodus/bytes/fallback/encoding.js";

setMultibyte((...args) => require("codemode:multibyte").createMultibyteDecoder(...args));

export { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";
