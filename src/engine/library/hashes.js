// SPDX-License-Identifier: MIT
//
// hashes.js -- the digests of crypto.subtle.

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";

export { sha1 as "SHA-1", sha256 as "SHA-256", sha384 as "SHA-384", sha512 as "SHA-512" };
