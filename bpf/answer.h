/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Answers in place of a destination that does not take a packet. The packet itself becomes the answer, and
 * returns by the way that it came. Without an answer its sender would wait as long as for a destination that is
 * down.
 */
#ifndef SIGNALBOX_ANSWER_H
#define SIGNALBOX_ANSWER_H

#include "rewrite.h"
#include "scratch.h"
#include "tunnel.h"

/* The TTL of every answer: that of the packet may be used up. */
#define ANSWER_TTL 64

/* The most options of a TCP header in 4-byte words: 15 less the fixed five. */
#define MOST_OPTION_WORDS 10
#define NO_OPERATIONS	  bpf_htonl(0x01010101)

/* The way by which a packet came to a program, and by which its answer goes back. */
enum came_by {
	/* By the interface; the answer leaves by it. */
	CAME_IN,
	/* From the host's own stack; the answer goes back into it. */
	CAME_OUT,
	/* Through the tunnel of another node. */
	CAME_BY_TUNNEL,
};

/* Why a packet is refused, as type and code of ICMP for IPv4 (RFC 792) and IPv6 (RFC 4443). */
struct because {
	__u8 v4_type;
	__u8 v4_code;
	__u8 v6_type;
	__u8 v6_code;
};

#define BECAUSE_NOBODY	((struct because){3, 3, 1, 4})
#define BECAUSE_TOO_BIG ((struct because){3, 4, 2, 0})
#define BECAUSE_TTL	((struct because){11, 0, 3, 0})

/* The header of both families' messages. For IPv4 an MTU is in the second half of `more`. */
struct icmp {
	__u8 type;
	__u8 code;
	__sum16 checksum;
	__be32 more;
};
ASSERT_SIZE(struct icmp, 8);

ALWAYS_INLINE void turn_round(struct packet *packet)
{
	struct address source = packet->source;
	__be16 port = packet->source_port;

	packet->source = packet->destination;
	packet->source_port = packet->destination_port;
	packet->destination = source;
	packet->destination_port = port;
	packet->ttl = ANSWER_TTL;
}

ALWAYS_INLINE long put(struct __sk_buff *skb, __u32 sum_at, __u32 at, __be32 from, __be32 to, __u32 size)
{
	return bpf_l4_csum_replace(skb, sum_at, from, to, size) || bpf_skb_store_bytes(skb, at, &to, size, 0);
}

/* Swaps the packet's addresses, which changes no checksum. `packet` is swapped already. */
ALWAYS_INLINE long turn_addresses(struct __sk_buff *skb, const struct packet *packet)
{
	__be32 v4[2] = {packet->source.word[3], packet->destination.word[3]};
	__u8 ttl = ANSWER_TTL;
	__be16 was, is;

	if (packet->is_v4) {
		if (bpf_skb_load_bytes(skb, packet->network + offsetof(struct iphdr, ttl), &was, sizeof(was)))
			return -1;
		is = (was & bpf_htons(0xff)) | bpf_htons(ANSWER_TTL << 8);
		return bpf_l3_csum_replace(skb, packet->network + offsetof(struct iphdr, check), was, is, 2) ||
		       bpf_skb_store_bytes(skb, packet->network + offsetof(struct iphdr, ttl), &ttl, 1, 0) ||
		       bpf_skb_store_bytes(skb, packet->network + offsetof(struct iphdr, saddr), v4, sizeof(v4), 0);
	}
	return bpf_skb_store_bytes(skb, packet->network + offsetof(struct ipv6hdr, hop_limit), &ttl, 1, 0) ||
	       bpf_skb_store_bytes(skb, packet->network + offsetof(struct ipv6hdr, saddr), &packet->source,
				   sizeof(packet->source), 0) ||
	       bpf_skb_store_bytes(skb, packet->network + offsetof(struct ipv6hdr, daddr), &packet->destination,
				   sizeof(packet->destination), 0);
}

/* Bytes of data in a SYN (RFC 7413), which must be acknowledged too. Padding of the link does not count. */
ALWAYS_INLINE __u32 payload_of(struct __sk_buff *skb, const struct packet *packet, __u32 header)
{
	__u32 before = packet->transport - packet->network + header;
	__be16 said;
	__u32 length;

	if (bpf_skb_load_bytes(skb,
			       packet->network + (packet->is_v4 ? offsetof(struct iphdr, tot_len) :
								  offsetof(struct ipv6hdr, payload_len)),
			       &said, sizeof(said)))
		return 0;
	length = bpf_ntohs(said) + (packet->is_v4 ? 0 : sizeof(struct ipv6hdr));
	return length > before ? length - before : 0;
}

/*
 * Turns a SYN into the RST that answers it (RFC 9293 §3.10.7.1). The length stays, and the options become
 * no-operations, so that the checksum only needs the changes, whoever completes it.
 */
ALWAYS_INLINE long become_reset(struct __sk_buff *skb, struct packet *packet)
{
	__u32 at = packet->transport, sum_at = checksum_at(packet);
	struct tcphdr tcp;
	__be16 words[2], ports[2] = {packet->destination_port, packet->source_port};
	__u32 header;

	if (bpf_skb_load_bytes(skb, at, &tcp, sizeof(tcp)) || bpf_skb_load_bytes(skb, at + 12, words, sizeof(words)))
		return -1;
	header = bpf_ntohs(words[0]) >> 12 << 2;
	if (put(skb, sum_at, at + 8, tcp.ack_seq, bpf_htonl(bpf_ntohl(tcp.seq) + 1 + payload_of(skb, packet, header)),
		4) ||
	    put(skb, sum_at, at + 4, tcp.seq, 0, 4) ||
	    /* RST and ACK. */
	    put(skb, sum_at, at + 12, words[0], (words[0] & bpf_htons(0xf000)) | bpf_htons(0x0014), 2) ||
	    put(skb, sum_at, at + 14, words[1], 0, 2) || bpf_skb_store_bytes(skb, at, ports, sizeof(ports), 0))
		return -1;
#pragma unroll
	for (int word = 0; word < MOST_OPTION_WORDS; word++) {
		__u32 option_at = at + sizeof(tcp) + word * 4;
		__be32 option;

		if (sizeof(tcp) + word * 4 >= header)
			break;
		if (bpf_skb_load_bytes(skb, option_at, &option, sizeof(option)) ||
		    put(skb, sum_at, option_at, option, NO_OPERATIONS, 4))
			return -1;
	}
	turn_round(packet);
	return turn_addresses(skb, packet);
}

ALWAYS_INLINE __sum16 folded(__s64 sum)
{
	__u32 left = sum;

	left = (left & 0xffff) + (left >> 16);
	left = (left & 0xffff) + (left >> 16);
	return ~left;
}

/* The headers in front of the quoted packet. */
struct icmp_v4 {
	struct iphdr ip;
	struct icmp icmp;
} __attribute__((packed));
ASSERT_SIZE(struct icmp_v4, 28);

struct icmp_v6 {
	struct ipv6hdr ip;
	struct icmp icmp;
} __attribute__((packed));
ASSERT_SIZE(struct icmp_v6, 48);

/* Quoted bytes after a header's 20, at most: enough to identify the socket. A mask, and whole words of a checksum. */
#define MOST_MORE_QUOTED 124

/*
 * A sum whose bounds every verifier knows. The one of Linux 6.1 forgets bounds that were checked with other code in
 * between, and before Linux 5.11 those of a spilled number: so it is computed again for each helper that takes it.
 */
ALWAYS_INLINE __u64 quoted_bytes(__u64 more)
{
	OPAQUE(more);
	return sizeof(struct iphdr) + (more & MOST_MORE_QUOTED);
}

/*
 * Turns any packet into the ICMP message that answers it (RFC 792, RFC 4443). The source is the address to which it was
 * sent: the only address of this node that its sender can certainly reach.
 */
ALWAYS_INLINE long become_message(struct __sk_buff *skb, struct packet *packet, struct because because, __u32 mtu)
{
	__u32 headers = packet->is_v4 ? sizeof(struct icmp_v4) : sizeof(struct icmp_v6);
	__u64 more = skb->len - packet->network - sizeof(struct iphdr), quoted;
	struct icmp_v4 *v4;
	struct icmp_v6 *v6;
	__s64 sum;
	void *at = empty_scratch();

	if (!at)
		return -1;
	more = more > MOST_MORE_QUOTED ? MOST_MORE_QUOTED : more;
	quoted = quoted_bytes(more);
	if (bpf_skb_load_bytes(skb, packet->network, at + sizeof(struct icmp_v6), quoted))
		return -1;
	/* The kernel does not cut a packet out of a tunnel: the excess is then padding of the link. */
	if ((bpf_skb_change_tail(skb, packet->network + quoted, 0) && segment_size(skb, 0)) ||
	    bpf_skb_adjust_room(skb, headers, BPF_ADJ_ROOM_MAC, 0))
		return -1;
	turn_round(packet);
	packet->transport = packet->network + headers - sizeof(struct icmp);
	sum = bpf_csum_diff(0, 0, at + sizeof(struct icmp_v6), quoted_bytes(more), 0);
	if (packet->is_v4) {
		v4 = at;
		v4->ip.version = 4;
		v4->ip.ihl = 5;
		v4->ip.tot_len = bpf_htons(headers + quoted);
		v4->ip.ttl = ANSWER_TTL;
		v4->ip.protocol = IPPROTO_ICMP;
		v4->ip.saddr = packet->source.word[3];
		v4->ip.daddr = packet->destination.word[3];
		v4->ip.check = header_sum(v4);
		v4->icmp.type = because.v4_type;
		v4->icmp.code = because.v4_code;
		v4->icmp.more = bpf_htonl(mtu);
		v4->icmp.checksum = folded(bpf_csum_diff(0, 0, at + sizeof(v4->ip), sizeof(v4->icmp), sum));
		packet->protocol = IPPROTO_ICMP;
		return bpf_skb_store_bytes(skb, packet->network, v4, sizeof(*v4), BPF_F_RECOMPUTE_CSUM);
	}
	v6 = at;
	/* First as the pseudo-header of RFC 8200 §8.1: its other words are in the same places of the header. */
	__builtin_memcpy(&v6->ip.saddr, &packet->source, sizeof(v6->ip.saddr));
	__builtin_memcpy(&v6->ip.daddr, &packet->destination, sizeof(v6->ip.daddr));
	v6->ip.payload_len = bpf_htons(sizeof(v6->icmp) + quoted);
	v6->ip.hop_limit = IPPROTO_ICMPV6;
	v6->icmp.type = because.v6_type;
	v6->icmp.code = because.v6_code;
	v6->icmp.more = bpf_htonl(mtu);
	v6->icmp.checksum = folded(bpf_csum_diff(0, 0, at, sizeof(*v6), sum));
	v6->ip.version = 6;
	v6->ip.nexthdr = IPPROTO_ICMPV6;
	v6->ip.hop_limit = ANSWER_TTL;
	packet->protocol = IPPROTO_ICMPV6;
	return bpf_skb_store_bytes(skb, packet->network, v6, sizeof(*v6), BPF_F_RECOMPUTE_CSUM);
}

ALWAYS_INLINE int send_back(struct __sk_buff *skb, const struct packet *packet, enum came_by came_by,
			    const struct config *node, const struct address *peer)
{
	__u8 macs[2 * ETH_ALEN];

	if (came_by == CAME_BY_TUNNEL)
		return into_tunnel(skb, packet, node, peer);
	if (bpf_skb_load_bytes(skb, 0, macs, sizeof(macs)) ||
	    bpf_skb_store_bytes(skb, 0, macs + ETH_ALEN, ETH_ALEN, 0) ||
	    bpf_skb_store_bytes(skb, ETH_ALEN, macs, ETH_ALEN, 0))
		return DROP;
	return bpf_redirect(ifindex_of(skb), came_by == CAME_OUT ? BPF_F_INGRESS : 0);
}

/* No backend: a connection is reset, a datagram gets port unreachable, as from a closed port of a host. */
ALWAYS_INLINE int refuse(struct __sk_buff *skb, struct packet *packet, enum came_by came_by, const struct config *node,
			 const struct address *peer)
{
	if (packet->protocol == IPPROTO_TCP ? become_reset(skb, packet) :
					      become_message(skb, packet, BECAUSE_NOBODY, 0))
		return DROP;
	return send_back(skb, packet, came_by, node, peer);
}

ALWAYS_INLINE int say(struct __sk_buff *skb, struct packet *packet, enum came_by came_by, const struct config *node,
		      const struct address *peer, struct because because, __u32 mtu)
{
	if (become_message(skb, packet, because, mtu))
		return DROP;
	return send_back(skb, packet, came_by, node, peer);
}

#endif
