/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Before Linux 5.10 no program can make the kernel resolve a neighbour: a packet goes to a known one, or nowhere.
 * Needed hops are noted here, and the agent makes the kernel resolve them (lib/node/host/ask-for-neighbours.ts), also
 * to keep known ones fresh.
 */
#ifndef SIGNALBOX_NEXT_HOP_H
#define SIGNALBOX_NEXT_HOP_H

#include "address.h"
#include "clock.h"
#include "packet.h"
#include "statistics.h"

struct next_hop {
	struct address address;
	/* 0: the hop was not found, and before Linux 5.10 the lookup does not return the interface either. */
	__u32 ifindex;
};
ASSERT_SIZE(struct next_hop, 20);

struct next_hop_use {
	/* Of bpf_ktime_get_ns, written at most once a second. */
	__u64 last_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct next_hop);
	__type(value, struct next_hop_use);
} next_hops SEC(".maps");

#define AF_INET	 2
#define AF_INET6 10

ALWAYS_INLINE void note_next_hop(const struct next_hop *hop)
{
	struct next_hop_use use = {.last_ns = time_of_tick()};
	const struct next_hop_use *known = bpf_map_lookup_elem(&next_hops, hop);

	if (!known || use.last_ns - known->last_ns > NSEC_PER_SEC)
		bpf_map_update_elem(&next_hops, hop, &use, BPF_ANY);
}

ALWAYS_INLINE bool is_no_mac(const __u8 *mac)
{
	return !(mac[0] | mac[1] | mac[2] | mac[3] | mac[4] | mac[5]);
}

/* An unresolved entry has no hardware address; a device that has none itself needs none. */
ALWAYS_INLINE int by_known_neighbour(struct __sk_buff *skb, const struct bpf_fib_lookup *found, bool is_known)
{
	struct next_hop hop = {.ifindex = is_known ? found->ifindex : 0};
	__u8 macs[2 * ETH_ALEN];

	/* The lookup fills in the hop before it resolves it; the interface only since Linux 5.10. */
	if (found->family == AF_INET)
		hop.address = address_of_v4(found->ipv4_dst);
	else
		__builtin_memcpy(&hop.address, found->ipv6_dst, sizeof(hop.address));
	note_next_hop(&hop);
	if (!is_known || (is_no_mac(found->dmac) && !is_no_mac(found->smac)))
		return DROP_AS(OUTCOME_NO_NEIGHBOUR);
	__builtin_memcpy(macs, found->dmac, ETH_ALEN);
	__builtin_memcpy(macs + ETH_ALEN, found->smac, ETH_ALEN);
	if (bpf_skb_store_bytes(skb, 0, macs, sizeof(macs), 0))
		return DROP_AS(OUTCOME_REWRITE_FAILED);
	return bpf_redirect(found->ifindex, 0);
}

#endif
