/* SPDX-License-Identifier: MIT */
/* span_post.h -- the span_sender of codemode-net. */
#ifndef NET_SPAN_POST_H
#define NET_SPAN_POST_H

#include "watch/span_sender.h"

extern const span_sender_parts span_post_functions;

#endif
