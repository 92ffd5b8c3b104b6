/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Services: a front (address, port, protocol) leads to lists of backends by number.
 *
 * Each service has two lists, because they differ by more than a filter: in CLUSTER the agent puts the backends that
 * topology hints and readiness leave, in LOCAL those of this node (the ready ones, or else terminating ones that still
 * serve). A packet from another node's tunnel only uses LOCAL.
 *
 * The agent writes in this order, so that every lookup finds a ready backend: it deletes vanished fronts, then writes
 * slots, then fronts, then deletes slots beyond the new counts.
 */
#ifndef SIGNALBOX_SERVICE_H
#define SIGNALBOX_SERVICE_H

#include "address.h"

/*
 * A NodePort has one entry per family, with the family's unspecified address (`0.0.0.0` mapped, or `::`). It is looked
 * up if the destination's route takes node ports, and after a front of the address itself.
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
	/* loadBalancerSourceRanges: only clients in `source_ranges` may come from outside */
	SERVICE_SOURCE_RANGES = 1 << 2,
	/* sessionAffinity: ClientIP, for `affinity_s` seconds */
	SERVICE_AFFINITY = 1 << 3,
	/* A node port: without a backend it is refused here, and never reaches a process of the host */
	SERVICE_NODE_PORT = 1 << 4,
};

struct service {
	/* Not reused while the agent runs; all fronts of one port of a service share it. */
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
	/* 0 … count - 1 without gaps */
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
	/* The address of its node, to which its tunnel leads; `::` if unknown. */
	struct address node;
	__be16 port;
	__u16 flags;
	__u32 pad;
};
ASSERT_SIZE(struct backend, 40);

/* Longest prefix match: all of `service`, then the range's (for IPv4 plus 96). */
struct source_range_key {
	__u32 prefix;
	__u32 service;
	struct address address;
};
ASSERT_SIZE(struct source_range_key, 24);

/* Not preallocated, so that a reader never sees an element that is reused while it reads. */
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
