/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* What the packet path knows about addresses. An address without a route is outside the cluster. */
#ifndef SIGNALBOX_ROUTE_H
#define SIGNALBOX_ROUTE_H

#include "address.h"

/* IPv4 prefixes are counted in 128 bits: 10.0.0.0/8 is 104. */
struct route_key {
	__u32 prefix;
	struct address address;
};
ASSERT_SIZE(struct route_key, 20);

enum route_flag {
	/* On this node. */
	ROUTE_LOCAL = 1 << 0,
	/* A pod. With LOCAL, `ifindex` is its interface on the host, and only it may send from this address. */
	ROUTE_POD = 1 << 1,
	/* An address of a node. */
	ROUTE_HOST = 1 << 2,
	/* Takes node ports (nodePortAddresses). */
	ROUTE_NODE_PORTS = 1 << 3,
	/* A node with which we exchange packets through our tunnel. */
	ROUTE_TUNNEL = 1 << 4,
	/* Answers to these clients use the tunnel even with DSR. */
	ROUTE_NO_DSR = 1 << 5,
	/* Left to the host's stack: an overlay, masquerade, or what we do not forward. */
	ROUTE_BY_STACK = 1 << 6,
};

struct route {
	__u32 flags;
	/* The interface of a local pod; otherwise 0. */
	__u32 ifindex;
	/* The end of the tunnel to a remote pod or to an address of another node; otherwise `::`. */
	struct address node;
	/* A local pod's index for policies. */
	__u32 endpoint;
	__u32 pad;
};
ASSERT_SIZE(struct route, 32);

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 262144);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct route_key);
	__type(value, struct route);
} routes SEC(".maps");

#endif
