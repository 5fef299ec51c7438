// SPDX-License-Identifier: MIT
//
// temporal.js -- Temporal, with the calendars iso8601 and gregory.

export { Temporal, toTemporalInstant } from "temporal-polyfill";
