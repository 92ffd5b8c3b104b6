/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The service that a socket asked for, by the backend that it got: answers and getpeername show it again. */
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

/*
 * Of TCP: a socket has one connection, so its cookie gives the index. Cookies count up, so another socket takes the
 * index only after that many sockets have asked for a service. An LRU table, which sometimes searches for its oldest
 * entry, takes longer for that than a connection.
 */
#define STREAM_ORIGINS 131072

struct stream_origin {
	/* The owner of the index; 0 while it is being written. */
	__u64 cookie;
	struct address backend;
	struct address service;
	__be16 backend_port;
	__be16 service_port;
	__u32 pad;
};
ASSERT_SIZE(struct stream_origin, 48);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, STREAM_ORIGINS);
	__type(key, __u32);
	__type(value, struct stream_origin);
} stream_origins SEC(".maps");

#endif
