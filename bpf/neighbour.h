/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Connections between two pods of this node of which no packet is translated: most began at a service, and the socket knows
 * its backend since. Their packets go from the one pod into the other, past the host's stack and its rules.
 *
 * Only what was seen to begin does. What began before, or what a rule of the host has led here (a port of the host), is of
 * the stack's own tracking, which changes the answers back. Which datagram is an answer nobody can tell: the stack has them.
 *
 * The table is their own, and takes no room of the flows that cannot live without an entry: one whose entry went goes on by
 * the stack, which takes it up in the middle (nf_conntrack_tcp_loose).
 */
#ifndef SIGNALBOX_NEIGHBOUR_H
#define SIGNALBOX_NEIGHBOUR_H

#include "forward.h"
#include "translate.h"

struct neighbours {
	/* bpf_ktime_get_ns, written once a second at most. */
	__u64 last_ns;
	/* Of the key's `a`, and of its `b`: the pod's interface, and what it has sent (enum tcp_seen). */
	__u32 ifindex[2];
	__u8 tcp[2];
	__u8 pad[6];
};
ASSERT_SIZE(struct neighbours, 24);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 131072);
	__type(key, struct flow_key);
	__type(value, struct neighbours);
} neighbours SEC(".maps");

ALWAYS_INLINE __u32 pod_interface(const struct address *address)
{
	const struct route *route = find_route(address);

	return route && (route->flags & (ROUTE_LOCAL | ROUTE_POD)) == (ROUTE_LOCAL | ROUTE_POD) ? route->ifindex : 0;
}

/* Which end of the key has sent it. */
ALWAYS_INLINE int sender_of(const struct flow_key *key, const struct packet *packet)
{
	return key->a_port == packet->source_port && address_equal(&key->a, &packet->source) ? 0 : 1;
}

/* The interface that a pod's first packet of a connection is delivered to; 0 where the stack has it. */
ALWAYS_INLINE __u32 begin_between_pods(const struct __sk_buff *skb, const struct packet *packet, __u64 now)
{
	struct flow_key key = flow_key_of_packet(packet);
	struct neighbours begun = {.last_ns = now};
	__u32 to = pod_interface(&packet->destination);
	int sender = sender_of(&key, packet);

	if (packet->protocol != IPPROTO_TCP || !to || to == skb->ifindex || packet->ttl <= 1 ||
	    pod_interface(&packet->source) != skb->ifindex)
		return 0;
	begun.ifindex[0] = sender == 0 ? skb->ifindex : to;
	begun.ifindex[1] = sender == 0 ? to : skb->ifindex;
	begun.tcp[0] = sender == 0 ? packet->tcp : 0;
	begun.tcp[1] = sender == 0 ? 0 : packet->tcp;
	return bpf_map_update_elem(&neighbours, &key, &begun, BPF_ANY) ? 0 : to;
}

/* As above, of a packet in the middle of one. */
ALWAYS_INLINE __u32 go_on_between_pods(const struct __sk_buff *skb, const struct packet *packet, __u64 now)
{
	struct flow_key key = flow_key_of_packet(packet);
	bool is_of_a = sender_of(&key, packet) == 0;
	struct neighbours *known;
	__u8 *seen;
	__u32 to;

	if (packet->protocol != IPPROTO_TCP || packet->quoted || packet->ttl <= 1 || may_open(packet))
		return 0;
	known = bpf_map_lookup_elem(&neighbours, &key);
	if (!known ||
	    known->ifindex[is_of_a ? 0 : 1] != skb->ifindex ||
	    is_older(known->last_ns, now, tcp_lasts_s(known->tcp[0], known->tcp[1])))
		return 0;
	to = known->ifindex[is_of_a ? 1 : 0];
	/* It is over, and makes room: to look for the oldest of a full table takes as long as a connection. */
	if (packet->tcp & SEEN_RST) {
		bpf_map_delete_elem(&neighbours, &key);
		return to;
	}
	seen = is_of_a ? &known->tcp[0] : &known->tcp[1];
	if ((*seen | packet->tcp) != *seen)
		*seen |= packet->tcp;
	if (is_older(known->last_ns, now, 1))
		known->last_ns = now;
	return to;
}

/* A flow to a service has the ports that such a connection had: its answers are changed back. */
ALWAYS_INLINE void forget_between_pods(const struct flow *flow, __u8 protocol)
{
	struct flow_key key = key_of_backend(flow, protocol);

	bpf_map_delete_elem(&neighbours, &key);
}

#endif
