/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Datagrams in parts (IPv4): the first part alone has the ports, and is served as a whole datagram is; the rest goes where
 * that one went. What comes before the first is left to the stack, which has nobody to give it to.
 */
#ifndef SIGNALBOX_FRAGMENT_H
#define SIGNALBOX_FRAGMENT_H

#include <linux/ip.h>
#include "kernel.h"

struct fragment_key {
	__be32 source;
	__be32 destination;
	/* By which it comes: nobody has a say in the datagrams of others. */
	__u32 ifindex;
	__be16 id;
	__u8 protocol;
	__u8 pad;
};

struct fragment_ports {
	__u64 since_ns;
	__be16 source;
	__be16 destination;
	__u32 pad;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct fragment_key);
	__type(value, struct fragment_ports);
} fragments SEC(".maps");

/* Parts follow each other at once; a number comes again after 65,536 datagrams. */
#define FRAGMENTS_LAST_NS (2 * NSEC_PER_SEC)

enum part {
	PART_WHOLE,
	PART_FIRST,
	PART_REST,
};

ALWAYS_INLINE enum part part_of(const struct iphdr *ip)
{
	if (!(ip->frag_off & bpf_htons(0x3fff)))
		return PART_WHOLE;
	return ip->frag_off & bpf_htons(0x1fff) ? PART_REST : PART_FIRST;
}

ALWAYS_INLINE struct fragment_key fragment_key_of(const struct __sk_buff *skb, const struct iphdr *ip)
{
	struct fragment_key key = {
		.source = ip->saddr,
		.destination = ip->daddr,
		.id = ip->id,
		.protocol = ip->protocol,
	};

	/* The compiler would keep where the field is, and no verifier takes a pointer into a context. */
	OPAQUE(skb);
	key.ifindex = skb->ifindex;
	return key;
}

/*
 * What the first part says at `transport`, for those that come after it. A function of its own: inline, it doubles what a
 * verifier goes through. Of the helpers that a kernel may lack (lib/node/bpf/load/helpers.ts), which are replaced in programs
 * alone, it calls none.
 */
static __attribute__((noinline)) void remember_first(struct __sk_buff *skb, const struct iphdr *ip, __u32 transport)
{
	struct fragment_key key = fragment_key_of(skb, ip);
	struct fragment_ports ports = {.since_ns = bpf_ktime_get_ns()};

	if (!bpf_skb_load_bytes(skb, transport, &ports.source, 2 * sizeof(__be16)))
		bpf_map_update_elem(&fragments, &key, &ports, BPF_ANY);
}

/* Of the first part, for one that came after it and has its header at `network`; NULL where that one did not come by. */
ALWAYS_INLINE const struct fragment_ports *ports_of_first(struct __sk_buff *skb, __u32 network)
{
	const struct fragment_ports *ports;
	struct fragment_key key;
	struct iphdr ip;

	if (bpf_skb_load_bytes(skb, network, &ip, sizeof(ip)))
		return NULL;
	key = fragment_key_of(skb, &ip);
	ports = bpf_map_lookup_elem(&fragments, &key);
	return ports && bpf_ktime_get_ns() - ports->since_ns < FRAGMENTS_LAST_NS ? ports : NULL;
}

#endif
