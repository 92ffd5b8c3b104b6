/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * One program serves every interface; their differences are here. An interface that is not in this map is left alone:
 * only its entry allows programs to deliver into it.
 */
#ifndef SIGNALBOX_INTERFACE_H
#define SIGNALBOX_INTERFACE_H

#include "address.h"

enum interface_kind {
	INTERFACE_POD = 1,
	INTERFACE_NETWORK = 2,
};

struct interface {
	__u8 kind;
	__u8 pad;
	__u16 mtu;
	/* Its row in `statistics`. */
	__u32 statistics;
	/* Numbers of policies, 0 for none: of the pod, and of the host endpoint. */
	__u32 policy_in;
	__u32 policy_out;
	__u32 host_policy_in;
	__u32 host_policy_out;
	/* The host's addresses, from which ICMP errors are sent. */
	struct address host_v4;
	struct address host_v6;
	/* In the order of a frame into the pod: receiver, then sender. */
	__u8 pod_mac[6];
	__u8 host_mac[6];
	__u32 flags;
};
ASSERT_SIZE(struct interface, 72);

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, struct interface);
} interfaces SEC(".maps");

#endif
