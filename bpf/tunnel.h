/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Between nodes: a packet to a service travels unchanged in VXLAN (RFC 7348) to its backend's node, and the answer back
 * to the node that its client called. It needs no device of the host, so an overlay on the same port is not disturbed.
 * This is a wire format between versions, which does not change: our own VNI, no UDP checksum, inner Ethernet addresses
 * of zero, IPv4 in IPv4 and IPv6 in IPv6 (before Linux 6.3 mixed families cannot be decapsulated).
 */
#ifndef SIGNALBOX_TUNNEL_H
#define SIGNALBOX_TUNNEL_H

#include "forward.h"
#include "packet.h"
#include "scratch.h"

/* From the UDP header on, equal for both families. */
struct tunnel_inside {
	struct udphdr udp;
	__be32 flags;
	__be32 vni;
	__u8 macs[2 * ETH_ALEN];
	__be16 type;
} __attribute__((packed));
ASSERT_SIZE(struct tunnel_inside, 30);

struct tunnel_header_v4 {
	struct iphdr ip;
	struct tunnel_inside inside;
} __attribute__((packed));
ASSERT_SIZE(struct tunnel_header_v4, 50);

struct tunnel_header_v6 {
	struct ipv6hdr ip;
	struct tunnel_inside inside;
} __attribute__((packed));
ASSERT_SIZE(struct tunnel_header_v6, 70);

/* The VNI field is valid. */
#define VXLAN_HAS_VNI bpf_htonl(0x08000000)

/* The largest packet in the tunnel, including its IP header. */
ALWAYS_INLINE __u32 mtu_in_tunnel(const struct config *node, bool is_v4)
{
	return is_v4 ? node->tunnel_mtu : node->tunnel_mtu - (sizeof(struct ipv6hdr) - sizeof(struct iphdr));
}

/* TCP segments are shortened on their way in, if they have to be; datagrams and packets that are cut already cannot. */
ALWAYS_INLINE bool is_too_big_for_tunnel(const struct __sk_buff *skb, const struct packet *packet,
					 const struct config *node)
{
	__u32 mtu = mtu_in_tunnel(node, packet->is_v4);
	__u32 length = skb->len - packet->network;
	__u32 size = segment_size(skb, packet->transport + sizeof(struct udphdr));

	/* If the kernel does not tell, a packet longer than the network's MTU will also be cut. */
	if (!size)
		return length > mtu &&
		       (HAS(KERNEL_GSO_SIZE) || length <= node->tunnel_mtu + sizeof(struct tunnel_header_v4));
	return packet->protocol == IPPROTO_UDP &&
	       packet->transport - packet->network + sizeof(struct udphdr) + size > mtu;
}

/*
 * Whether the segments into which this packet will be cut fit as they are, which those of every connection do whose
 * SYN came by here. The kernel would shorten them by the tunnel's headers once more. Before Linux 5.7 nobody tells.
 */
ALWAYS_INLINE bool segments_fit(struct __sk_buff *skb, const struct packet *packet, const struct config *node)
{
	__u32 header;

	if (!HAS(KERNEL_GSO_SIZE) || !skb->gso_size || packet->protocol != IPPROTO_TCP)
		return false;
	header = tcp_header_length(skb, packet);
	if (!header)
		return false;
	return packet->transport - packet->network + header + skb->gso_size <= mtu_in_tunnel(node, packet->is_v4);
}

ALWAYS_INLINE __sum16 header_sum(void *ip)
{
	__u32 sum = bpf_csum_diff(0, 0, ip, sizeof(struct iphdr), 0);

	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/*
 * Like the kernel: 0 if it exceeds the field, for a packet that is cut before it leaves. Each piece then gets its own
 * length.
 */
ALWAYS_INLINE __be16 length_field(__u32 length)
{
	return length > 0xffff ? 0 : bpf_htons(length);
}

ALWAYS_INLINE void fill_inside(struct tunnel_inside *inside, const struct packet *packet, const struct config *node,
			       __u32 length)
{
	/* Differs by flow, so that the receiver spreads flows over its queues. */
	inside->udp.source = (packet->source_port ^ packet->destination_port) | bpf_htons(0xc000);
	inside->udp.dest = node->tunnel_port;
	inside->udp.len = length_field(length);
	inside->flags = VXLAN_HAS_VNI;
	inside->vni = bpf_htonl(node->vni << 8);
	inside->type = bpf_htons(packet->is_v4 ? ETH_P_IP : ETH_P_IPV6);
}

/*
 * Sends a packet to another node, with one hop less. What is cut later keeps its size: datagrams, and segments that
 * fit.
 */
ALWAYS_INLINE int into_tunnel(struct __sk_buff *skb, const struct packet *packet, const struct config *node,
			      const struct address *to)
{
	__u64 flags =
		BPF_F_ADJ_ROOM_ENCAP_L4_UDP | BPF_F_ADJ_ROOM_ENCAP_L2(ETH_HLEN) |
		(packet->protocol == IPPROTO_UDP || segments_fit(skb, packet, node) ? BPF_F_ADJ_ROOM_FIXED_GSO : 0);
	const struct address *from = packet->is_v4 ? &node->node_v4 : &node->node_v6;
	struct bpf_fib_lookup fib = {.ifindex = ifindex_of(skb)};
	void *header = empty_scratch();
	struct tunnel_header_v4 *v4 = header;
	struct tunnel_header_v6 *v6 = header;
	__u32 room = packet->is_v4 ? sizeof(*v4) : sizeof(*v6);
	__u32 length;
	long found;

	if (!header || packet->is_v4 != address_is_v4(to) || address_is_none(from) || age(skb, packet))
		return DROP_AS(OUTCOME_REWRITE_FAILED);
	fib.family = packet->is_v4 ? AF_INET : AF_INET6;
	fib.l4_protocol = IPPROTO_UDP;
	if (packet->is_v4) {
		fib.ipv4_src = from->word[3];
		fib.ipv4_dst = to->word[3];
	} else {
		__builtin_memcpy(fib.ipv6_src, from, sizeof(fib.ipv6_src));
		__builtin_memcpy(fib.ipv6_dst, to, sizeof(fib.ipv6_dst));
	}
	found = bpf_fib_lookup(skb, &fib, sizeof(fib), 0);
	if (found != BPF_FIB_LKUP_RET_SUCCESS && found != BPF_FIB_LKUP_RET_NO_NEIGH)
		return DROP_AS(OUTCOME_NO_ROUTE);
	/*
	 * The kernel still marks a packet out of a tunnel as encapsulated, and refuses to do it twice. A single packet
	 * needs only room, because no device must cut it.
	 */
	if (bpf_skb_adjust_room(
		    skb, room, BPF_ADJ_ROOM_MAC,
		    flags | (packet->is_v4 ? BPF_F_ADJ_ROOM_ENCAP_L3_IPV4 : BPF_F_ADJ_ROOM_ENCAP_L3_IPV6)) &&
	    (segment_size(skb, 0) || bpf_skb_adjust_room(skb, room, BPF_ADJ_ROOM_MAC, 0)))
		return DROP_AS(OUTCOME_REWRITE_FAILED);
	length = skb->len - ETH_HLEN;
	if (packet->is_v4) {
		v4->ip.version = 4;
		v4->ip.ihl = 5;
		v4->ip.ttl = 64;
		v4->ip.protocol = IPPROTO_UDP;
		v4->ip.tot_len = length_field(length);
		v4->ip.saddr = from->word[3];
		v4->ip.daddr = to->word[3];
		v4->ip.check = header_sum(v4);
		fill_inside(&v4->inside, packet, node, length - sizeof(v4->ip));
		if (bpf_skb_store_bytes(skb, ETH_HLEN, v4, sizeof(*v4), 0))
			return DROP_AS(OUTCOME_REWRITE_FAILED);
	} else {
		v6->ip.version = 6;
		v6->ip.hop_limit = 64;
		v6->ip.nexthdr = IPPROTO_UDP;
		v6->ip.payload_len = length_field(length - sizeof(v6->ip));
		__builtin_memcpy(&v6->ip.saddr, from, sizeof(v6->ip.saddr));
		__builtin_memcpy(&v6->ip.daddr, to, sizeof(v6->ip.daddr));
		fill_inside(&v6->inside, packet, node, length - sizeof(v6->ip));
		if (bpf_skb_store_bytes(skb, ETH_HLEN, v6, sizeof(*v6), 0))
			return DROP_AS(OUTCOME_REWRITE_FAILED);
	}
	return by_neighbour(skb, &fib, found == BPF_FIB_LKUP_RET_SUCCESS);
}

/* Whether a packet is, or claims to be, of our tunnel; `inside` is then filled. */
ALWAYS_INLINE bool is_of_tunnel(struct __sk_buff *skb, const struct packet *packet, const struct config *node,
				struct tunnel_inside *inside)
{
	return !packet->quoted && !packet->is_rest && packet->protocol == IPPROTO_UDP &&
	       packet->destination_port == node->tunnel_port && node->vni &&
	       !bpf_skb_load_bytes(skb, packet->transport, inside, sizeof(*inside)) && inside->flags == VXLAN_HAS_VNI &&
	       inside->vni == bpf_htonl(node->vni << 8);
}

/*
 * A first part that may be of our tunnel, by its port: if the host reassembles it, as its connection tracking does, it
 * leaves whole, with the host's address.
 */
ALWAYS_INLINE bool is_part_of_tunnel(const struct packet *packet, const struct config *node)
{
	return packet->is_first && !packet->quoted && packet->protocol == IPPROTO_UDP &&
	       packet->destination_port == node->tunnel_port && node->vni;
}

enum unwrapped {
	/* No packet of our tunnel, or a part of one: the stack's reassembled packets are not decapsulated. */
	UNWRAPPED_NONE,
	UNWRAPPED,
	/* From a node that may not send, or with contents that we never write. */
	UNWRAPPED_FORGED,
};

/* Decapsulates a packet of our tunnel; its source is the node that sent it. */
ALWAYS_INLINE enum unwrapped out_of_tunnel(struct __sk_buff *skb, const struct packet *packet,
					   const struct config *node)
{
	struct tunnel_inside inside;
	const struct route *route;
	__u32 outer = packet->is_v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);

	if (!is_of_tunnel(skb, packet, node, &inside) || bpf_ntohs(inside.udp.len) > skb->len - packet->transport ||
	    !address_equal(&packet->destination, packet->is_v4 ? &node->node_v4 : &node->node_v6))
		return UNWRAPPED_NONE;
	route = find_route(&packet->source);
	if (!route || !(route->flags & ROUTE_TUNNEL) || inside.udp.check ||
	    packet->transport != packet->network + outer ||
	    inside.type != bpf_htons(packet->is_v4 ? ETH_P_IP : ETH_P_IPV6))
		return UNWRAPPED_FORGED;
	if (bpf_skb_adjust_room(skb, -(__s32)(outer + sizeof(inside)), BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_FIXED_GSO))
		return UNWRAPPED_FORGED;
	return UNWRAPPED;
}

#endif
