/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Connections between two pods of this node whose packets are not translated: most began at a service, whose backend
 * the socket knows. Their packets go straight from pod to pod, past the host's stack and its rules.
 *
 * Only connections that were seen to begin. Earlier ones, and those that a host rule redirected (a host port), are
 * tracked by the stack, which translates the answers; so are datagrams, whose answers cannot be told apart.
 *
 * They have their own table, so that they take no room from flows, which need an entry. A connection that loses its
 * entry continues through the stack, which picks it up in the middle (nf_conntrack_tcp_loose).
 */
#ifndef SIGNALBOX_NEIGHBOUR_H
#define SIGNALBOX_NEIGHBOUR_H

#include "clock.h"
#include "forward.h"
#include "translate.h"

struct neighbours {
	/* Of bpf_ktime_get_ns, written at most once a second. */
	__u64 last_ns;
	/* For the key's `a`, then for its `b`: the pod's interface, and the flags that it sent (enum tcp_seen). */
	__u32 ifindex[2];
	__u8 tcp[2];
	/* The sender of the FIN of `end`: 1 for `a`, 2 for `b`, 0 before there is one. */
	__u8 end_of;
	/* 1 once both have closed, the later one after it got the other's FIN. */
	__u8 is_last;
	/* The number that acknowledges that FIN. */
	__u32 end;
};
ASSERT_SIZE(struct neighbours, 24);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 131072);
	__type(key, struct flow_key);
	__type(value, struct neighbours);
} neighbours SEC(".maps");

/* The interface behind a route; 0 if it does not lead to a pod of this node. */
ALWAYS_INLINE __u32 pod_interface(const struct route *route)
{
	return route && (route->flags & (ROUTE_LOCAL | ROUTE_POD)) == (ROUTE_LOCAL | ROUTE_POD) ? route->ifindex : 0;
}

/* Where a pod's first packet of a connection is delivered, by the route `there`; 0 leaves it to the stack. */
ALWAYS_INLINE __u32 begin_between_pods(const struct __sk_buff *skb, const struct packet *packet,
				       const struct route *there, __u64 now)
{
	bool is_of_a = is_before(&packet->source, packet->source_port, &packet->destination, packet->destination_port);
	struct flow_key key = flow_key_of_packet(packet);
	struct neighbours begun = {.last_ns = now};
	__u32 to = pod_interface(there), from = ifindex_of(skb);

	if (packet->protocol != IPPROTO_TCP || !to || to == ifindex_of(skb) || packet->ttl <= 1 ||
	    pod_interface(find_route(&packet->source)) != ifindex_of(skb))
		return 0;
	/* What the stack has to deliver, it keeps to the end: it would not pick the connection up later. */
	if (!HAS(KERNEL_REDIRECT_PEER) &&
	    (!may_enter(bpf_map_lookup_elem(&interfaces, &to)) || !may_enter(bpf_map_lookup_elem(&interfaces, &from))))
		return 0;
	begun.ifindex[0] = is_of_a ? ifindex_of(skb) : to;
	begun.ifindex[1] = is_of_a ? to : ifindex_of(skb);
	begun.tcp[0] = is_of_a ? packet->tcp : 0;
	begun.tcp[1] = is_of_a ? 0 : packet->tcp;
	return bpf_map_update_elem(&neighbours, &key, &begun, BPF_ANY) ? 0 : to;
}

/* A segment within a connection, read in place: most of what pods send is one, and needs no more than this. */
struct segment {
	struct flow_key key;
	/* 1 if the key's `a` has sent it, otherwise 0. */
	__u64 is_of_a;
	/* What it acknowledges, and the number that would acknowledge it as a FIN (too high if the frame is padded). */
	__u32 acknowledges;
	__u32 end;
	/* Of enum tcp_seen. */
	__u8 tcp;
	bool is_v4;
};

#define HEADERS_V4 (ETH_HLEN + sizeof(struct iphdr) + sizeof(struct tcphdr))
#define HEADERS_V6 (ETH_HLEN + sizeof(struct ipv6hdr) + sizeof(struct tcphdr))

ALWAYS_INLINE void *start_of(const struct __sk_buff *skb)
{
	return (void *)(long)skb->data;
}

ALWAYS_INLINE void *end_of(const struct __sk_buff *skb)
{
	return (void *)(long)skb->data_end;
}

/* Whether the connection may exist already. Packets that open one, or might, are handled like all others. */
ALWAYS_INLINE bool fill_segment(struct segment *segment, const struct address *source,
				const struct address *destination, const struct tcphdr *tcp, __u32 length)
{
	segment->tcp = seen_of(((const __u8 *)tcp)[13]);
	segment->acknowledges = bpf_ntohl(tcp->ack_seq);
	segment->end = bpf_ntohl(tcp->seq) + length - (((const __u8 *)tcp)[12] >> 4) * 4 + 1;
	segment->is_of_a = is_before(source, tcp->source, destination, tcp->dest);
	segment->key = flow_key_in_order(segment->is_of_a, source, tcp->source, destination, tcp->dest, IPPROTO_TCP);
	return (segment->tcp & (SEEN_SYN | SEEN_ACK)) != SEEN_SYN;
}

ALWAYS_INLINE bool read_segment_v4(struct __sk_buff *skb, struct segment *segment)
{
	struct address source, destination;
	const struct iphdr *ip;

	if (start_of(skb) + HEADERS_V4 > end_of(skb) && bpf_skb_pull_data(skb, HEADERS_V4))
		return false;
	if (start_of(skb) + HEADERS_V4 > end_of(skb))
		return false;
	ip = start_of(skb) + ETH_HLEN;
	/* Without options, and not a part of a datagram. */
	if (ip->version != 4 || ip->ihl != 5 || ip->protocol != IPPROTO_TCP || ip->ttl <= 1 ||
	    (ip->frag_off & bpf_htons(0x3fff)) ||
	    (bpf_ntohs(ip->tot_len) < sizeof(*ip) + sizeof(struct tcphdr) && !is_too_long_to_say(skb, ip->tot_len)))
		return false;
	source = address_of_v4(ip->saddr);
	destination = address_of_v4(ip->daddr);
	segment->is_v4 = true;
	return fill_segment(segment, &source, &destination, (const void *)(ip + 1), skb->len - ETH_HLEN - sizeof(*ip));
}

ALWAYS_INLINE bool read_segment_v6(struct __sk_buff *skb, struct segment *segment)
{
	struct address source, destination;
	const struct ipv6hdr *ip;

	if (start_of(skb) + HEADERS_V6 > end_of(skb) && bpf_skb_pull_data(skb, HEADERS_V6))
		return false;
	if (start_of(skb) + HEADERS_V6 > end_of(skb))
		return false;
	ip = start_of(skb) + ETH_HLEN;
	if (ip->version != 6 || ip->nexthdr != IPPROTO_TCP || ip->hop_limit <= 1)
		return false;
	__builtin_memcpy(&source, &ip->saddr, sizeof(source));
	__builtin_memcpy(&destination, &ip->daddr, sizeof(destination));
	segment->is_v4 = false;
	return !address_is_v4(&source) && !address_is_v4(&destination) &&
	       fill_segment(segment, &source, &destination, (const void *)(ip + 1), skb->len - ETH_HLEN - sizeof(*ip));
}

/* From the frame's start to the TTL of both families, written at once; two bytes of padding align it as headers are. */
struct aged_v4 {
	__u16 pad;
	__u16 macs[ETH_ALEN];
	__be16 type;
	__u32 word[3];
};

struct aged_v6 {
	__u16 pad;
	__u16 macs[ETH_ALEN];
	__be16 type;
	__u32 word[2];
};

ALWAYS_INLINE void copy_macs(__u16 *macs, const struct interface *to)
{
	const __u16 *from = (const __u16 *)to->pod_mac;

#pragma unroll
	for (int i = 0; i < ETH_ALEN; i++)
		macs[i] = from[i];
}

/* Addresses the frame to the pod, and takes one hop off. */
ALWAYS_INLINE long readdress_v4(struct __sk_buff *skb, const struct interface *to)
{
	struct aged_v4 head;
	const __u32 *ip = start_of(skb) + ETH_HLEN;
	__u32 sum;

	if (start_of(skb) + HEADERS_V4 > end_of(skb))
		return -1;
	copy_macs(head.macs, to);
	head.type = bpf_htons(ETH_P_IP);
	head.word[0] = ip[0];
	head.word[1] = ip[1];
	/* TTL, protocol and checksum, as in the kernel's ip_decrease_ttl. */
	sum = ip[2] >> 16;
	sum += bpf_htons(0x0100);
	sum += sum >= 0xffff;
	head.word[2] = ((ip[2] & 0xffff) - 1) | sum << 16;
	return bpf_skb_store_bytes(skb, 0, head.macs, sizeof(head) - sizeof(head.pad), 0);
}

ALWAYS_INLINE long readdress_v6(struct __sk_buff *skb, const struct interface *to)
{
	struct aged_v6 head;
	const __u32 *ip = start_of(skb) + ETH_HLEN;

	if (start_of(skb) + HEADERS_V6 > end_of(skb))
		return -1;
	copy_macs(head.macs, to);
	head.type = bpf_htons(ETH_P_IPV6);
	head.word[0] = ip[0];
	head.word[1] = ip[1] - (1 << 24);
	return bpf_skb_store_bytes(skb, 0, head.macs, sizeof(head) - sizeof(head.pad), 0);
}

/*
 * Whether the connection ends with this segment: a reset, or the acknowledgement of the later FIN, from an end that had
 * the earlier one. Until then anything may be sent again, and the stack, which never saw the connection begin, accepts
 * no FIN. If both close at once, the order is unknown, and the entry ends by time.
 */
ALWAYS_INLINE bool is_last_word(struct neighbours *known, const struct segment *segment, __u32 sender)
{
	bool is_got = known->end_of == (sender ^ 1) + 1 && (segment->tcp & SEEN_ACK) &&
		      (__s32)(segment->acknowledges - known->end) >= 0;

	if (segment->tcp & SEEN_RST)
		return true;
	if (!(segment->tcp & SEEN_FIN))
		return is_got && known->is_last;
	if (!known->end_of || (is_got && !known->is_last)) {
		known->is_last = is_got;
		known->end = segment->end;
		known->end_of = sender + 1;
	}
	return false;
}

/* Before Linux 5.11 a verifier forgets the bounds of a spilled number, and knows none for XOR. */
ALWAYS_INLINE __u32 one_of_two(__u32 number)
{
	OPAQUE(number);
	return number & 1;
}

/* Where a segment from a pod's interface must go; NULL if it must be handled like all other packets. */
ALWAYS_INLINE const struct interface *go_on_between_pods(struct __sk_buff *skb, struct segment *segment, __u32 *ifindex)
{
	struct neighbours *known;
	__u32 sender;
	__u8 seen;
	__u64 now;

	if (skb->protocol == bpf_htons(ETH_P_IP) ?
		    !read_segment_v4(skb, segment) :
		    skb->protocol != bpf_htons(ETH_P_IPV6) || !read_segment_v6(skb, segment))
		return NULL;
	sender = segment->is_of_a ^ 1;
	known = bpf_map_lookup_elem(&neighbours, &segment->key);
	if (!known || known->ifindex[one_of_two(sender)] != ifindex_of(skb))
		return NULL;
	now = time_of_tick();
	if (is_older(known->last_ns, now, tcp_lasts_s(known->tcp[0], known->tcp[1])))
		return NULL;
	*ifindex = known->ifindex[one_of_two(sender ^ 1)];
	/* Deleted at once to make room: searching a full table for its oldest entry takes as long as a connection. */
	if (is_last_word(known, segment, sender)) {
		bpf_map_delete_elem(&neighbours, &segment->key);
	} else {
		seen = known->tcp[one_of_two(sender)];
		if ((seen | segment->tcp) != seen)
			known->tcp[one_of_two(sender)] = seen | segment->tcp;
		if (is_older(known->last_ns, now, 1))
			known->last_ns = now;
	}
	return bpf_map_lookup_elem(&interfaces, ifindex);
}

/* A flow to a service reuses such a connection's ports: its answers must be translated again. */
ALWAYS_INLINE void forget_between_pods(const struct flow *flow, __u8 protocol)
{
	struct flow_key key = key_of_backend(flow, protocol);

	/* There is hardly ever one, and a deletion from an LRU takes more than a look. */
	if (bpf_map_lookup_elem(&neighbours, &key))
		bpf_map_delete_elem(&neighbours, &key);
}

#endif
