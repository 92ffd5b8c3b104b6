/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Sends a packet on without the host's stack: into a pod of this node, or to the next hop. */
#ifndef SIGNALBOX_FORWARD_H
#define SIGNALBOX_FORWARD_H

#include "interface.h"
#include "next-hop.h"
#include "packet.h"
#include "service-lookup.h"

ALWAYS_INLINE long age(struct __sk_buff *skb, const struct packet *packet)
{
	__u8 ttl = packet->ttl - 1;
	__be16 was, is;

	/*
	 * No checksum of the header evens it out, as IPv4's does, in the sum of all bytes that a network card may have
	 * given.
	 */
	if (!packet->is_v4)
		return bpf_skb_store_bytes(skb, packet->network + offsetof(struct ipv6hdr, hop_limit), &ttl, 1,
					   BPF_F_RECOMPUTE_CSUM);
	was = bpf_htons(packet->ttl << 8 | packet->protocol);
	is = bpf_htons(ttl << 8 | packet->protocol);
	return bpf_l3_csum_replace(skb, packet->network + offsetof(struct iphdr, check), was, is, 2) ||
	       bpf_skb_store_bytes(skb, packet->network + offsetof(struct iphdr, ttl), &ttl, 1, 0);
}

/*
 * Only interfaces with an entry may be delivered into. Before Linux 5.10 a frame needs the pod's hardware address,
 * otherwise the pod drops it as another's: while it is unknown, the host's stack resolves it.
 */
ALWAYS_INLINE bool may_enter(const struct interface *to)
{
	return to && to->kind == INTERFACE_POD && (HAS(KERNEL_REDIRECT_PEER) || !is_no_mac(to->pod_mac));
}

/* Before Linux 5.10 into the host's end of the pair, from which it reaches the pod's end one queue later. */
ALWAYS_INLINE int enter(__u32 ifindex)
{
	return HAS(KERNEL_REDIRECT_PEER) ? bpf_redirect_peer(ifindex, 0) : bpf_redirect(ifindex, 0);
}

ALWAYS_INLINE int into_pod(struct __sk_buff *skb, const struct packet *packet, __u32 ifindex)
{
	const struct interface *to = bpf_map_lookup_elem(&interfaces, &ifindex);

	if (!may_enter(to))
		return LEAVE;
	/* Both addresses of the frame, in its order. */
	if (age(skb, packet) || bpf_skb_store_bytes(skb, 0, to->pod_mac, 2 * ETH_ALEN, 0))
		return DROP_AS(OUTCOME_REWRITE_FAILED);
	return enter(ifindex);
}

/*
 * A mark that `outgoing` need not look at a packet that `incoming` sends by a network interface: it would only look up
 * its flow again. Only tc filters access this field, and it is empty in packets that arrive, whatever another host left
 * in it. Cilium's marks use the lowest five bits.
 */
#define NEEDS_NOTHING_MORE 0x5b00

/*
 * Sends to the next hop that was found, to save the kernel a second lookup. An IPv4 packet may have an IPv6 hop.
 * `is_known`: its hardware address was found too.
 */
ALWAYS_INLINE int by_neighbour(struct __sk_buff *skb, const struct bpf_fib_lookup *found, bool is_known)
{
	struct bpf_redir_neigh hop = {.nh_family = found->family};

	skb->tc_index = NEEDS_NOTHING_MORE;
	if (!HAS(KERNEL_REDIRECT_NEIGH))
		return by_known_neighbour(skb, found, is_known);
	__builtin_memcpy(hop.ipv6_nh, found->ipv6_dst, sizeof(hop.ipv6_nh));
	return bpf_redirect_neigh(found->ifindex, &hop, sizeof(hop), 0);
}

ALWAYS_INLINE int to_next_hop(struct __sk_buff *skb, const struct packet *packet)
{
	struct bpf_fib_lookup fib = {
		.family = packet->is_v4 ? AF_INET : AF_INET6,
		.l4_protocol = packet->protocol,
		.ifindex = ifindex_of(skb),
	};
	long found;

	if (packet->is_v4) {
		fib.ipv4_src = packet->source.word[3];
		fib.ipv4_dst = packet->destination.word[3];
	} else {
		__builtin_memcpy(fib.ipv6_src, &packet->source, sizeof(fib.ipv6_src));
		__builtin_memcpy(fib.ipv6_dst, &packet->destination, sizeof(fib.ipv6_dst));
	}
	found = bpf_fib_lookup(skb, &fib, sizeof(fib), 0);
	if (found != BPF_FIB_LKUP_RET_SUCCESS && found != BPF_FIB_LKUP_RET_NO_NEIGH)
		return LEAVE;
	if (age(skb, packet))
		return DROP_AS(OUTCOME_REWRITE_FAILED);
	return by_neighbour(skb, &fib, found == BPF_FIB_LKUP_RET_SUCCESS);
}

/* The stack gets packets without a route and those with an expired TTL: it informs their senders. */
ALWAYS_INLINE int forward(struct __sk_buff *skb, const struct packet *packet)
{
	const struct route *route = find_route(&packet->destination);

	if (packet->ttl <= 1)
		return LEAVE;
	if (route && (route->flags & ROUTE_LOCAL) && (route->flags & ROUTE_POD) && route->ifindex)
		return into_pod(skb, packet, route->ifindex);
	if (route && ((route->flags & ROUTE_BY_STACK) ||
		      (route->flags & (ROUTE_LOCAL | ROUTE_HOST)) == (ROUTE_LOCAL | ROUTE_HOST)))
		return LEAVE;
	return to_next_hop(skb, packet);
}

#endif
