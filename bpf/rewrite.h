/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Replaces addresses and ports in a packet, and updates its checksums. */
#ifndef SIGNALBOX_REWRITE_H
#define SIGNALBOX_REWRITE_H

#include "packet.h"

/* Since Linux 6.16 and its stable releases (older ones refuse it): an IPv6 header has no checksum that evens it out. */
#define CSUM_OF_V6 (1ULL << 7)

enum packet_end {
	SOURCE,
	DESTINATION,
};

ALWAYS_INLINE __u32 checksum_at(const struct packet *packet)
{
	return packet->transport + (packet->protocol == IPPROTO_TCP ? 16 : 6);
}

/* A datagram's checksum of zero means that there is none, and stays. */
ALWAYS_INLINE __u64 kind_of_sum(const struct packet *packet)
{
	return packet->protocol == IPPROTO_UDP ? BPF_F_MARK_MANGLED_0 : 0;
}

ALWAYS_INLINE long rewrite_address(struct __sk_buff *skb, const struct packet *packet, enum packet_end end,
				   const struct address *from, const struct address *to)
{
	__u64 flags = BPF_F_PSEUDO_HDR | kind_of_sum(packet);
	__u32 sum_at = checksum_at(packet);
	struct address was = *from, is = *to;
	__s64 difference;
	__u32 at;

	difference = bpf_csum_diff(was.word, sizeof(was), is.word, sizeof(is), 0);
	if (packet->is_v4) {
		at = packet->network + (end == SOURCE ? offsetof(struct iphdr, saddr) : offsetof(struct iphdr, daddr));
		return (!packet->is_rest && bpf_l4_csum_replace(skb, sum_at, 0, difference, flags)) ||
		       bpf_l3_csum_replace(skb, packet->network + offsetof(struct iphdr, check), was.word[3],
					   is.word[3], 4) ||
		       bpf_skb_store_bytes(skb, at, &is.word[3], 4, 0);
	}
	at = packet->network + (end == SOURCE ? offsetof(struct ipv6hdr, saddr) : offsetof(struct ipv6hdr, daddr));
	if (packet->is_rest)
		return bpf_skb_store_bytes(skb, at, &is, sizeof(is), BPF_F_RECOMPUTE_CSUM);
	if (bpf_l4_csum_replace(skb, sum_at, 0, difference, flags | CSUM_OF_V6) &&
	    bpf_l4_csum_replace(skb, sum_at, 0, difference, flags))
		return -1;
	return bpf_skb_store_bytes(skb, at, &is, sizeof(is), 0);
}

ALWAYS_INLINE long rewrite_port(struct __sk_buff *skb, const struct packet *packet, enum packet_end end, __be16 from,
				__be16 to)
{
	__u32 at = packet->transport + ((end == SOURCE) == !packet->quoted ? 0 : 2);

	if (from == to || packet->is_rest)
		return 0;
	if (packet->quoted)
		return bpf_l4_csum_replace(skb, packet->quoted - ICMP_HEADER_SIZE + 2, from, to, 2) ||
		       bpf_skb_store_bytes(skb, at, &to, sizeof(to), 0);
	return bpf_l4_csum_replace(skb, checksum_at(packet), from, to, 2 | kind_of_sum(packet)) ||
	       bpf_skb_store_bytes(skb, at, &to, sizeof(to), 0);
}

/*
 * A quoted packet went the other way: its destination is this source. The error's own address changes only if it is the
 * same; a router on the way keeps its own. A quoted IPv4 header evens out its own change; the checksums after it stay
 * as quoted, because nobody verifies them.
 */
ALWAYS_INLINE long rewrite_quoted(struct __sk_buff *skb, const struct packet *packet, enum packet_end end,
				  const struct address *from, const struct address *to)
{
	__u32 sum_at = packet->quoted - ICMP_HEADER_SIZE + 2;
	struct address was = *from, is = *to, own;
	__u32 at, own_at;
	__s64 difference;

	if (packet->is_v4) {
		at = packet->quoted + (end == SOURCE ? offsetof(struct iphdr, daddr) : offsetof(struct iphdr, saddr));
		own_at = packet->network +
			 (end == SOURCE ? offsetof(struct iphdr, saddr) : offsetof(struct iphdr, daddr));
		if (bpf_skb_load_bytes(skb, own_at, &own, 4) ||
		    bpf_l3_csum_replace(skb, packet->quoted + offsetof(struct iphdr, check), was.word[3], is.word[3],
					4) ||
		    bpf_skb_store_bytes(skb, at, &is.word[3], 4, 0))
			return -1;
		if (own.word[0] != was.word[3])
			return 0;
		return bpf_l3_csum_replace(skb, packet->network + offsetof(struct iphdr, check), was.word[3],
					   is.word[3], 4) ||
		       bpf_skb_store_bytes(skb, own_at, &is.word[3], 4, 0);
	}
	at = packet->quoted + (end == SOURCE ? offsetof(struct ipv6hdr, daddr) : offsetof(struct ipv6hdr, saddr));
	own_at = packet->network + (end == SOURCE ? offsetof(struct ipv6hdr, saddr) : offsetof(struct ipv6hdr, daddr));
	difference = bpf_csum_diff(was.word, sizeof(was), is.word, sizeof(is), 0);
	if (bpf_skb_load_bytes(skb, own_at, &own, sizeof(own)) || bpf_l4_csum_replace(skb, sum_at, 0, difference, 0) ||
	    bpf_skb_store_bytes(skb, at, &is, sizeof(is), 0))
		return -1;
	if (!address_equal(&own, &was))
		return 0;
	if (bpf_l4_csum_replace(skb, sum_at, 0, difference, BPF_F_PSEUDO_HDR | CSUM_OF_V6) &&
	    bpf_l4_csum_replace(skb, sum_at, 0, difference, BPF_F_PSEUDO_HDR))
		return -1;
	return bpf_skb_store_bytes(skb, own_at, &is, sizeof(is), 0);
}

/* Changes one end, if it differs, in the packet and in `packet`. */
ALWAYS_INLINE long rewrite_end(struct __sk_buff *skb, struct packet *packet, enum packet_end end,
			       const struct address *address, __be16 port)
{
	struct address *was = end == SOURCE ? &packet->source : &packet->destination;
	__be16 *was_port = end == SOURCE ? &packet->source_port : &packet->destination_port;

	if (!address_equal(was, address) && (packet->quoted ? rewrite_quoted(skb, packet, end, was, address) :
							      rewrite_address(skb, packet, end, was, address)))
		return -1;
	if (rewrite_port(skb, packet, end, *was_port, port))
		return -1;
	*was = *address;
	*was_port = port;
	return 0;
}

#endif
