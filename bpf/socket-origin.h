/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* What a socket asked for, by what it got: answers and getpeername show the service again. */
#ifndef SIGNALBOX_SOCKET_ORIGIN_H
#define SIGNALBOX_SOCKET_ORIGIN_H

#include "address.h"

struct socket_origin_key {
	__u64 cookie;
	struct address backend;
	__be16 port;
	__u8 protocol;
	__u8 pad[5];
};
ASSERT_SIZE(struct socket_origin_key, 32);

struct socket_origin {
	struct address service;
	__be16 port;
	__u16 pad;
	__u32 service_id;
};
ASSERT_SIZE(struct socket_origin, 24);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 131072);
	__type(key, struct socket_origin_key);
	__type(value, struct socket_origin);
} socket_origins SEC(".maps");

#endif
