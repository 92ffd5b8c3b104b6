/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Datagrams in parts: only the first part has ports, and is served as a whole datagram; the others follow it. Parts
 * before the first are left to the stack, which cannot deliver them.
 */
#ifndef SIGNALBOX_FRAGMENT_H
#define SIGNALBOX_FRAGMENT_H

#include <linux/in6.h>
#include <linux/ip.h>
#include "parsed.h"

struct fragment_key {
	struct address source;
	struct address destination;
	/* The interface by which it came, so that nobody can interfere with the datagrams of others. */
	__u32 ifindex;
	__be32 datagram;
	__u8 protocol;
	__u8 pad[3];
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

/* Parts follow each other closely; an IPv4 identification repeats after 65,536 datagrams. */
#define FRAGMENTS_LAST_NS (2 * NSEC_PER_SEC)

/* RFC 8200 §4.5. Expected directly after the IPv6 header; packets with other extensions first are left to the stack. */
struct fragment_header {
	__u8 protocol;
	__u8 reserved;
	__be16 offset;
	__be32 datagram;
};

enum part {
	PART_WHOLE,
	PART_FIRST,
	PART_REST,
};

ALWAYS_INLINE enum part part_of_v4(const struct iphdr *ip)
{
	if (!(ip->frag_off & bpf_htons(0x3fff)))
		return PART_WHOLE;
	return ip->frag_off & bpf_htons(0x1fff) ? PART_REST : PART_FIRST;
}

/* A header without further parts means a whole datagram (RFC 6946). */
ALWAYS_INLINE enum part part_of_v6(const struct fragment_header *header)
{
	if (header->offset & bpf_htons(0xfff8))
		return PART_REST;
	return header->offset & bpf_htons(1) ? PART_FIRST : PART_WHOLE;
}

ALWAYS_INLINE struct fragment_key fragment_key_of(const struct __sk_buff *skb, const struct packet *packet)
{
	struct fragment_key key = {
		.source = packet->source,
		.destination = packet->destination,
		.ifindex = ifindex_of(skb),
		.datagram = packet->datagram,
		.protocol = packet->protocol,
	};

	return key;
}

/*
 * Remembers the ports of a first part for those that follow. It is a function of its own, because inline it doubles the
 * instructions that a verifier checks. It calls none of the helpers that a kernel may lack
 * (lib/node/bpf/load/kernel-parts.ts), because only the programs' own code is rewritten.
 */
static __attribute__((noinline)) void remember_first(struct __sk_buff *skb, const struct packet *packet)
{
	struct fragment_key key = fragment_key_of(skb, packet);
	struct fragment_ports ports = {.since_ns = bpf_ktime_get_ns()};

	if ((packet->protocol == IPPROTO_UDP || packet->protocol == IPPROTO_TCP) &&
	    !bpf_skb_load_bytes(skb, packet->transport, &ports.source, 2 * sizeof(__be16)))
		bpf_map_update_elem(&fragments, &key, &ports, BPF_ANY);
}

/* Gives a later part the ports of the first. False if that one was not seen, or the protocol has no ports. */
static __attribute__((noinline)) bool has_ports_of_first(struct __sk_buff *skb, struct packet *packet)
{
	struct fragment_key key = fragment_key_of(skb, packet);
	const struct fragment_ports *ports = bpf_map_lookup_elem(&fragments, &key);

	if (!ports || bpf_ktime_get_ns() - ports->since_ns >= FRAGMENTS_LAST_NS)
		return false;
	packet->source_port = ports->source;
	packet->destination_port = ports->destination;
	return true;
}

#endif
