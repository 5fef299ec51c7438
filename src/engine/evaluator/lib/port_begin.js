// SPDX-License-Identifier: MIT
// The environment (engine/environment), which every engine has. Its files stand
// between this one and port_end.js, as the body of this function.
const environment = (host) => {
