/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Flows. A flow that is translated has two entries, one under the tuple that its client sees (TYPE_SERVICE) and one under
 * the tuple that its backend sees (TYPE_BACKEND); each holds both tuples, so that whichever the LRU leaves can rebuild the other.
 * All counts stand in the latter. Every decision is made on the first packet, stored here, and never made again.
 */
#ifndef SIGNALBOX_CONNTRACK_H
#define SIGNALBOX_CONNTRACK_H

#include "address.h"

/* The lower (address, port) is `a`, so that both directions find the same entry. */
struct flow_key {
	struct address a;
	struct address b;
	__be16 a_port;
	__be16 b_port;
	__u8 protocol;
	__u8 pad[3];
};
ASSERT_SIZE(struct flow_key, 40);

enum flow_type {
	/* Not translated. */
	FLOW_TYPE_PLAIN = 1,
	/* Client ↔ service. */
	FLOW_TYPE_SERVICE = 2,
	/* Client ↔ backend. */
	FLOW_TYPE_BACKEND = 3,
	/* Client ↔ service, on the node that hands it to the backend's node unchanged. */
	FLOW_TYPE_HANDED_ON = 4,
};

enum flow_flag {
	/* The opener is `b` of the key. */
	FLOW_OPENED_BY_B = 1 << 0,
	FLOW_DSR = 1 << 1,
	/* The opener is no pod of this node: answers leave by a network interface or the stack. */
	FLOW_FROM_OUTSIDE = 1 << 2,
	/* The client is its own backend, and is shown `snat` in its place. */
	FLOW_TO_ITSELF = 1 << 3,
	FLOW_HOST_BACKEND = 1 << 4,
	/*
	 * From a pod to what is none, outside of this node: by the stack, whose rules may have it come from the node, and the
	 * answers too.
	 */
	FLOW_BY_STACK = 1 << 5,
};

enum tcp_seen {
	SEEN_SYN = 1 << 0,
	SEEN_FIN = 1 << 1,
	SEEN_RST = 1 << 2,
	SEEN_ACK = 1 << 3,
};

struct flow {
	/* bpf_ktime_get_ns, written once a second at most. */
	__u64 last_ns;
	__u64 created_ns;
	/* [0] from the opener, [1] back. */
	__u64 packets[2];
	__u64 bytes[2];
	/* Which rule of a policy allowed it: of the source's egress, of the destination's ingress. */
	__u32 rule[2];
	/* Where it is delivered by direction, 0 for the stack. */
	__u32 ifindex[2];
	struct address client;
	struct address service;
	struct address backend;
	/* The other end of the tunnel, `::` for none: the backend's node on the front node, and the other way round. */
	struct address peer_node;
	__be16 client_port;
	__be16 service_port;
	__be16 backend_port;
	/* What the backend sees as the client's port, where that one was taken. */
	__be16 snat_port;
	__u32 service_id;
	__u32 flags;
	__u8 type;
	/* By direction, of enum tcp_seen. */
	__u8 tcp[2];
	__u8 pad[5];
};
ASSERT_SIZE(struct flow, 152);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 524288);
	__type(key, struct flow_key);
	__type(value, struct flow);
} flows SEC(".maps");

#endif
