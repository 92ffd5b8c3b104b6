/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Finds, creates and maintains the entries of flows (conntrack.h). */
#ifndef SIGNALBOX_FLOW_H
#define SIGNALBOX_FLOW_H

#include "clock.h"
#include "conntrack.h"
#include "packet.h"

/* An entry without a packet for longer does not count; the agent deletes it half a minute later. */
enum flow_lasts_s {
	FLOW_LASTS_TCP_OPENING = 20,
	FLOW_LASTS_TCP_ESTABLISHED = 3600,
	/* One end has closed, and the other's packets do not come by this node. */
	FLOW_LASTS_TCP_HALF_CLOSED = 120,
	FLOW_LASTS_TCP_CLOSED = 30,
	FLOW_LASTS_DATAGRAM = 60,
};

/* The address by which a pod sees itself as client: of RFC 3927 or RFC 4193, and used by no pod. */
ALWAYS_INLINE struct address shown_to_itself(bool is_v4)
{
	struct address v6 = {.word = {bpf_htonl(0xfdff5160), bpf_htonl(0x9a000000), 0, bpf_htonl(2)}};

	return is_v4 ? address_of_v4(bpf_htonl(0xa9fe0102)) : v6;
}

/* The client as the backend sees it. */
ALWAYS_INLINE struct address client_as_seen(const struct flow *flow)
{
	return flow->flags & FLOW_TO_ITSELF ? shown_to_itself(address_is_v4(&flow->client)) : flow->client;
}

/*
 * 1 or 0: the borrow of a subtraction, word by word. It has no branch, like the whole making of a key: after a
 * comparison that stops at the first difference, a verifier would check the rest of the program once per branch.
 */
ALWAYS_INLINE __u64 is_before(const struct address *a, __be16 a_port, const struct address *b, __be16 b_port)
{
	__u64 borrow = (__u64)a_port - b_port;

#pragma unroll
	for (int i = 3; i >= 0; i--) {
		OPAQUE(borrow);
		borrow = (__u64)a->word[i] - b->word[i] - (borrow >> 63);
	}
	OPAQUE(borrow);
	return borrow >> 63;
}

/* `before` is the result of `is_before` for the two. */
ALWAYS_INLINE struct flow_key flow_key_in_order(__u64 before, const struct address *a, __be16 a_port,
						const struct address *b, __be16 b_port, __u8 protocol)
{
	struct flow_key key = {.protocol = protocol};
	/* All ones if they must be swapped. */
	__u64 swap = before - 1;
	__u16 ports;

	OPAQUE(swap);
#pragma unroll
	for (int i = 0; i < 4; i++) {
		__u32 words = (a->word[i] ^ b->word[i]) & swap;

		key.a.word[i] = a->word[i] ^ words;
		key.b.word[i] = b->word[i] ^ words;
	}
	ports = (a_port ^ b_port) & swap;
	key.a_port = a_port ^ ports;
	key.b_port = b_port ^ ports;
	return key;
}

ALWAYS_INLINE struct flow_key flow_key_of(const struct address *a, __be16 a_port, const struct address *b,
					  __be16 b_port, __u8 protocol)
{
	return flow_key_in_order(is_before(a, a_port, b, b_port), a, a_port, b, b_port, protocol);
}

/* By the flags that each end has sent. */
ALWAYS_INLINE __u64 tcp_lasts_s(__u8 there, __u8 back)
{
	if (((there | back) & SEEN_RST) || (there & back & SEEN_FIN))
		return FLOW_LASTS_TCP_CLOSED;
	return there & back & SEEN_ACK ? FLOW_LASTS_TCP_ESTABLISHED : FLOW_LASTS_TCP_OPENING;
}

ALWAYS_INLINE __u64 lasts_s(const struct flow *flow, __u8 protocol)
{
	/* The answers of a flow that is handed on may take another way. */
	bool is_handed_on = flow->type == FLOW_TYPE_HANDED_ON;
	__u8 unseen = is_handed_on ? SEEN_ACK : 0;
	__u64 lasts;

	if (protocol != IPPROTO_TCP)
		return FLOW_LASTS_DATAGRAM;
	lasts = tcp_lasts_s(flow->tcp[0], flow->tcp[1] | unseen);
	return is_handed_on && (flow->tcp[0] & SEEN_FIN) && lasts > FLOW_LASTS_TCP_HALF_CLOSED ?
		       FLOW_LASTS_TCP_HALF_CLOSED :
		       lasts;
}

/* A SYN on a finished connection opens a new one with the same ports. */
ALWAYS_INLINE bool is_over(const struct flow *flow, const struct packet *packet, __u64 now)
{
	if (is_older(flow->last_ns, now, lasts_s(flow, packet->protocol)))
		return true;
	if (packet->protocol != IPPROTO_TCP || !may_open(packet))
		return false;
	switch (lasts_s(flow, packet->protocol)) {
	case FLOW_LASTS_TCP_HALF_CLOSED:
	case FLOW_LASTS_TCP_CLOSED:
		return true;
	default:
		return false;
	}
}

ALWAYS_INLINE struct flow_key flow_key_of_packet(const struct packet *packet)
{
	return flow_key_of(&packet->source, packet->source_port, &packet->destination, packet->destination_port,
			   packet->protocol);
}

ALWAYS_INLINE struct flow *find_flow(const struct packet *packet)
{
	struct flow_key key = flow_key_of_packet(packet);

	return flow_at(&key);
}

/* How far beyond what the other end has acknowledged a reset is believed, in 64 KiB: a window may be as large. */
#define RESET_AHEAD 1024

/* RFC 5961 §3.2: who does not see a connection cannot reset it, its number would be by chance. Unknown is believed. */
ALWAYS_INLINE bool is_of_another(const struct packet *packet, __u16 acknowledged)
{
	return (packet->tcp & SEEN_RST) && acknowledged && (__u16)(packet->sequence - acknowledged + 1) > RESET_AHEAD;
}

/* Sets flags and never clears them, a whole byte each, so that two processors at once lose none. */
ALWAYS_INLINE void keep_alive(struct flow *flow, const struct packet *packet, __u32 length, int direction, __u64 now)
{
	/* An error about a flow is no packet of it: anybody may send one. A foreign reset ends nothing either. */
	if (packet->quoted || is_of_another(packet, flow->acknowledged[!direction]))
		return;
	if (flow->acknowledged[direction] != packet->acknowledges)
		flow->acknowledged[direction] = packet->acknowledges;
	if (is_older(flow->last_ns, now, 1))
		flow->last_ns = now;
	if ((flow->tcp[direction] | packet->tcp) != flow->tcp[direction])
		flow->tcp[direction] |= packet->tcp;
	__sync_fetch_and_add(&flow->packets[direction], 1);
	__sync_fetch_and_add(&flow->bytes[direction], length);
}

#endif
