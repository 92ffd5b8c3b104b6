/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Services: a front end (address, port, protocol) leads to lists of backends by number.
 *
 * A service has two lists, because what is near and what is everywhere may differ by more than a filter: of CLUSTER
 * the agent makes what topology hints and readiness leave, of LOCAL what is on this node (its ready ones, else its
 * terminating ones that still serve). A packet from another node's tunnel takes LOCAL alone.
 *
 * The agent writes in this order, so that a lookup finds a ready backend at every instant: front ends that vanish are
 * deleted, then slots written, then front ends, then slots beyond the new counts deleted.
 */
#ifndef SIGNALBOX_SERVICE_H
#define SIGNALBOX_SERVICE_H

#include "address.h"

/*
 * A NodePort stands here once a family, under the family's unspecified address (`0.0.0.0` mapped, or `::`); it is asked
 * for where `routes` says that the destination takes node ports. A node's own front end for the same port goes first.
 */
struct service_key {
	struct address address;
	__be16 port;
	__u8 protocol;
	__u8 pad;
};
ASSERT_SIZE(struct service_key, 20);

enum service_flag {
	/* internalTrafficPolicy: Local */
	SERVICE_INSIDE_LOCAL = 1 << 0,
	/* externalTrafficPolicy: Local */
	SERVICE_OUTSIDE_LOCAL = 1 << 1,
	/* loadBalancerSourceRanges: those of `source_ranges` alone may come from outside */
	SERVICE_SOURCE_RANGES = 1 << 2,
	/* sessionAffinity: ClientIP, for `affinity_s` seconds */
	SERVICE_AFFINITY = 1 << 3,
	/* A node port: what has no backend is refused here, and never reaches a process of the host */
	SERVICE_NODE_PORT = 1 << 4,
};

struct service {
	/* Never used again while the agent lives; all front ends of one port of a service may share it. */
	__u32 id;
	__u16 cluster_backends;
	__u16 local_backends;
	__u32 flags;
	__u32 affinity_s;
};
ASSERT_SIZE(struct service, 16);

enum backend_list {
	BACKENDS_CLUSTER = 0,
	BACKENDS_LOCAL = 1,
};

struct backend_key {
	__u32 service;
	/* 0 … count - 1 without a hole */
	__u16 slot;
	__u8 list;
	__u8 pad;
};
ASSERT_SIZE(struct backend_key, 8);

enum backend_flag {
	BACKEND_LOCAL = 1 << 0,
	BACKEND_HOST_NETWORK = 1 << 1,
};

struct backend {
	struct address address;
	/* The node that it runs on, where its tunnel ends; `::` where it is not known. */
	struct address node;
	__be16 port;
	__u16 flags;
	__u32 pad;
};
ASSERT_SIZE(struct backend, 40);

/* Longest prefix: all of `service`, then that of the range (IPv4's plus 96). */
struct source_range_key {
	__u32 prefix;
	__u32 service;
	struct address address;
};
ASSERT_SIZE(struct source_range_key, 24);

/* Not preallocated: a reader never sees an element that is used again while it reads. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 131072);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_key);
	__type(value, struct service);
} services SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 524288);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct backend_key);
	__type(value, struct backend);
} backends SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct source_range_key);
	__type(value, __u32);
} source_ranges SEC(".maps");

#endif
