/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Tells both ends of a connection through the tunnel the size of segments that fit: otherwise every full segment would
 * be too big.
 */
#ifndef SIGNALBOX_SEGMENT_SIZE_H
#define SIGNALBOX_SEGMENT_SIZE_H

#include "rewrite.h"

/* RFC 9293 §3.2. */
#define OPTION_MSS 2

/*
 * Lowers the MSS option of a SYN or SYN-ACK to what fits into `mtu`. It is only expected as the first option, where all
 * common stacks have it: walking through the options costs a verifier hundreds of thousands of instructions. If it is
 * elsewhere or missing (536, or 1220 for IPv6), it stays. Returns nonzero if the packet was only half written.
 */
ALWAYS_INLINE long clamp_segments(struct __sk_buff *skb, const struct packet *packet, __u32 mtu)
{
	__u32 headers = (packet->is_v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr)) + sizeof(struct tcphdr);
	__u32 at = packet->transport + sizeof(struct tcphdr);
	struct {
		__u8 kind;
		__u8 length;
		__be16 size;
	} option;
	__be16 size;

	if (packet->protocol != IPPROTO_TCP || !(packet->tcp & SEEN_SYN) || mtu <= headers)
		return 0;
	if (tcp_header_length(skb, packet) < sizeof(struct tcphdr) + sizeof(option) ||
	    bpf_skb_load_bytes(skb, at, &option, sizeof(option)) || option.kind != OPTION_MSS ||
	    option.length != sizeof(option))
		return 0;
	size = bpf_htons(mtu - headers);
	if (bpf_ntohs(option.size) <= mtu - headers)
		return 0;
	return bpf_l4_csum_replace(skb, checksum_at(packet), option.size, size, 2) ||
	       bpf_skb_store_bytes(skb, at + offsetof(typeof(option), size), &size, sizeof(size), 0);
}

#endif
