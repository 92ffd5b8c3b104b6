/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Flows. A translated flow has two entries: one with the tuple that its client sees (TYPE_SERVICE) and one with the
 * tuple that its backend sees (TYPE_BACKEND). Each holds both tuples, so that the one that the LRU leaves can restore
 * the other. Only the latter counts packets. All decisions are made on the first packet and stored here.
 */
#ifndef SIGNALBOX_CONNTRACK_H
#define SIGNALBOX_CONNTRACK_H

#include <linux/errno.h>
#include "config.h"

/* `a` is the lower (address, port), so that both directions have the same key. */
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
	/* Between client and service. */
	FLOW_TYPE_SERVICE = 2,
	/* Between client and backend. */
	FLOW_TYPE_BACKEND = 3,
	/* Between client and service, on the node that passes it unchanged to the backend's node. */
	FLOW_TYPE_HANDED_ON = 4,
};

enum flow_flag {
	/* The opener is `b` of the key. */
	FLOW_OPENED_BY_B = 1 << 0,
	FLOW_DSR = 1 << 1,
	/* No pod of this node opened it: answers leave by a network interface or the stack. */
	FLOW_FROM_OUTSIDE = 1 << 2,
	/* The client is its own backend; the backend sees a stand-in address instead. */
	FLOW_TO_ITSELF = 1 << 3,
	FLOW_HOST_BACKEND = 1 << 4,
	/*
	 * From a pod to a destination outside this node that is no pod: the stack sends it, and its rules may give it
	 * the node's address; the answers come through the stack too.
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
	/* Of bpf_ktime_get_ns, written at most once a second. */
	__u64 last_ns;
	__u64 created_ns;
	/* [0] from the opener, [1] back. */
	__u64 packets[2];
	__u64 bytes[2];
	/* The policy rules that allowed it: of the source's egress and of the destination's ingress. */
	__u32 rule[2];
	/* The interface of delivery by direction; 0 for the stack. */
	__u32 ifindex[2];
	struct address client;
	struct address service;
	struct address backend;
	/* The other end of its tunnel: the backend's node on the front node, and the reverse; `::` for none. */
	struct address peer_node;
	__be16 client_port;
	__be16 service_port;
	__be16 backend_port;
	/* The client's port as the backend sees it, if its own port was taken. */
	__be16 snat_port;
	__u32 service_id;
	__u32 flags;
	__u8 type;
	/* Flags of enum tcp_seen, by direction. */
	__u8 tcp[2];
	__u8 pad;
	/* By direction: upper half of the number that was acknowledged last; 0: unknown. */
	__u16 acknowledged[2];
};
ASSERT_SIZE(struct flow, 152);

/*
 * Where a flow begins while there is room. The kernel drops none of these: the agent deletes those that are over. An
 * entry of an LRU takes more, and one in 128 some 35 us, because a processor's free list is filled anew.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 393216);
	__type(key, struct flow_key);
	__type(value, struct flow);
} held_flows SEC(".maps");

/* Where it begins otherwise, as without an agent, which takes out what is over; the longest unused are dropped. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 131072);
	__type(key, struct flow_key);
	__type(value, struct flow);
} flows SEC(".maps");

/* Before Linux 5.10 a verifier would take too long over two kinds of flows: it forgets more of what it has checked. */
#define HOLDS_FLOWS HAS(KERNEL_REDIRECT_NEIGH)

ALWAYS_INLINE struct flow *flow_at(const struct flow_key *key)
{
	struct flow *held = HOLDS_FLOWS ? bpf_map_lookup_elem(&held_flows, key) : NULL;

	return held ? held : bpf_map_lookup_elem(&flows, key);
}

/* Adds a flow that neither table had a moment ago. `flags`: whether it may replace one that was added meanwhile. */
ALWAYS_INLINE bool add_flow(const struct flow_key *key, const struct flow *flow, const struct config *node, __u64 flags)
{
	if (HOLDS_FLOWS && (node->flags & CONFIG_HOLDS_FLOWS)) {
		long failed = bpf_map_update_elem(&held_flows, key, flow, flags);

		if (!failed || failed == -EEXIST)
			return !failed;
	}
	return !bpf_map_update_elem(&flows, key, flow, flags);
}

/* Out of the one table that has it: a deletion from an LRU takes more. */
ALWAYS_INLINE void delete_flow(const struct flow_key *key)
{
	if (!HOLDS_FLOWS || bpf_map_delete_elem(&held_flows, key))
		bpf_map_delete_elem(&flows, key);
}

#endif
