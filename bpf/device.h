/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The programs of all interfaces, of pods and of the network: `incoming`, and `outgoing` for what the host's stack
 * sends, which are answers of host-networked backends and of flows that the stack sent. Neither sets an expected attach
 * type, so the same programs work for clsact and tcx.
 */
#ifndef SIGNALBOX_DEVICE_H
#define SIGNALBOX_DEVICE_H

#include "answer.h"
#include "answer-limit.h"
#include "forward.h"
#include "neighbour.h"
#include "open-flow.h"
#include "segment-size.h"
#include "tunnel.h"

ALWAYS_INLINE int told(__u32 row, enum outcome outcome, int verdict)
{
	if (verdict >= DROP_AS(0)) {
		outcome = verdict - DROP_AS(0);
		verdict = DROP;
	}
	count(row & (STATISTICS_ROWS - 1), outcome);
	return verdict;
}

/*
 * The number in the packet's VLAN tag, 0 without one: with a number it is of a VLAN interface above, and not of this
 * one. A tag with number 0 names only a priority (IEEE 802.1Q): the kernel gives such a packet to this interface, so a
 * pod must not get past the checks with it. It has no branch: a verifier would check the rest of the program twice.
 */
ALWAYS_INLINE __u32 vlan_of(const struct __sk_buff *skb)
{
	__u32 tagged = -skb->vlan_present;

	OPAQUE(tagged);
	return tagged & skb->vlan_tci & 0xfff;
}

/* Behind a tag with number 0: the kernel takes off both, and only after the programs have run. */
ALWAYS_INLINE bool has_second_tag(const struct __sk_buff *skb)
{
	return skb->protocol == bpf_htons(ETH_P_8021Q) || skb->protocol == bpf_htons(ETH_P_8021AD);
}

/* The outcome of a packet that is not PARSED. */
ALWAYS_INLINE enum outcome outcome_of(enum parsed parsed)
{
	return parsed == PARSED_MALFORMED ? OUTCOME_MALFORMED : OUTCOME_LEFT_TO_STACK;
}

/* Whether packets of the backend answer what came through a tunnel. */
ALWAYS_INLINE bool is_answer(const struct flow *flow)
{
	return flow->type == FLOW_TYPE_BACKEND && !address_is_none(&flow->peer_node);
}

/* Whether a packet of the flow goes through the tunnel to its peer. */
ALWAYS_INLINE bool goes_through_tunnel(const struct flow *flow, const struct packet *packet)
{
	if (flow->type == FLOW_TYPE_HANDED_ON)
		return is_from_client(flow, packet);
	return is_answer(flow) && is_from_backend(flow, packet) && !(flow->flags & FLOW_DSR);
}

enum obstacle {
	NO_OBSTACLE,
	IS_TOO_OLD,
	IS_TOO_BIG,
};

/*
 * Checked before the packet is changed, so that the error quotes what its sender sent. A packet may use its last hop if
 * this node is its destination, and the host's own packets do not lose a hop.
 */
ALWAYS_INLINE enum obstacle obstacle_to(const struct __sk_buff *skb, const struct packet *packet,
					const struct flow *flow, const struct config *node, enum came_by came_by)
{
	bool is_through_tunnel = goes_through_tunnel(flow, packet);
	bool is_at_end = came_by == CAME_OUT || ((flow->flags & FLOW_HOST_BACKEND) && !is_from_backend(flow, packet));

	/* No error is ever sent about an error. */
	if (packet->quoted)
		return NO_OBSTACLE;
	if (packet->ttl <= 1 && (is_through_tunnel || !is_at_end))
		return IS_TOO_OLD;
	return is_through_tunnel && is_too_big_for_tunnel(skb, packet, node) ? IS_TOO_BIG : NO_OBSTACLE;
}

ALWAYS_INLINE int say_what(struct __sk_buff *skb, struct packet *packet, enum obstacle obstacle, enum came_by came_by,
			   const struct config *node, const struct address *peer, __u32 row, __u64 now)
{
	/* For IPv4 only about the first part (RFC 1812 §4.3.2.7); for IPv6 about each (RFC 4443 §2.4). */
	if (packet->is_rest && packet->is_v4)
		return told(row, obstacle == IS_TOO_OLD ? OUTCOME_TTL : OUTCOME_TOO_BIG, DROP);
	if (!may_answer(now))
		return told(row, OUTCOME_ANSWER_LIMIT, DROP);
	if (obstacle == IS_TOO_OLD)
		return told(row, OUTCOME_TTL, say(skb, packet, came_by, node, peer, BECAUSE_TTL, 0));
	return told(row, OUTCOME_TOO_BIG,
		    say(skb, packet, came_by, node, peer, BECAUSE_TOO_BIG, mtu_in_tunnel(node, packet->is_v4)));
}

/* Sends the packet on: through the flow's tunnel, into a pod, or to the next hop. */
ALWAYS_INLINE int go_on(struct __sk_buff *skb, const struct packet *packet, const struct flow *flow,
			enum translated translated, const struct config *node, __u32 row)
{
	bool is_through_tunnel = translated == HANDED_ON || (is_answer(flow) && !(flow->flags & FLOW_DSR));
	int verdict;

	/* The tunnel carries both directions or, with DSR, only the other one. */
	if (translated == BROKEN || ((is_answer(flow) || flow->type == FLOW_TYPE_HANDED_ON) &&
				     clamp_segments(skb, packet, mtu_in_tunnel(node, packet->is_v4))))
		return told(row, OUTCOME_REWRITE_FAILED, DROP);
	if (flow->flags & FLOW_BY_STACK)
		return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
	verdict = is_through_tunnel ? into_tunnel(skb, packet, node, &flow->peer_node) : forward(skb, packet);
	return told(row, verdict == LEAVE ? OUTCOME_LEFT_TO_STACK : OUTCOME_FORWARDED, verdict);
}

/* Handles a segment between two pods of this node. Returns false if it belongs to no such connection. */
ALWAYS_INLINE bool hand_to_neighbour(struct __sk_buff *skb, int *verdict)
{
	const struct interface *to;
	struct segment segment;
	__u32 ifindex = 0;
	long failed;

	to = go_on_between_pods(skb, &segment, &ifindex);
	if (!ifindex)
		return false;
	if (!may_enter(to)) {
		*verdict = told(0, OUTCOME_LEFT_TO_STACK, LEAVE);
		return true;
	}
	failed = segment.is_v4 ? readdress_v4(skb, to) : readdress_v6(skb, to);
	/* All pods share one row, so it is also the sender's. */
	*verdict = failed ? told(to->statistics, OUTCOME_REWRITE_FAILED, DROP) :
			    told(to->statistics, OUTCOME_FORWARDED, enter(ifindex));
	return true;
}

SEC("tc")
int incoming(struct __sk_buff *skb)
{
	__u32 ifindex = ifindex_of(skb);
	const struct config *node = synced_config();
	const struct route *there = NULL;
	const struct interface *here;
	struct tunnel_inside inside;
	struct packet packet = {};
	struct address peer = {};
	enum translated translated;
	enum obstacle obstacle;
	enum came_by came_by;
	bool is_new;
	struct flow *flow;
	enum parsed parsed;
	enum sender sender;
	enum side side;
	__u32 neighbour;
	int verdict;
	__u64 now;
	__u32 row;

	if (!node || vlan_of(skb))
		return LEAVE;
	if (skb->tc_index == NEEDS_NOTHING_MORE)
		skb->tc_index = 0;
	/* Checked first because most of pods' traffic is this; opening a flow removes such an entry. */
	if (hand_to_neighbour(skb, &verdict))
		return verdict;
	here = bpf_map_lookup_elem(&interfaces, &ifindex);
	if (!here)
		return LEAVE;
	side = here->kind == INTERFACE_POD ? SIDE_INSIDE : SIDE_OUTSIDE;
	row = here->statistics;
	parsed = parse(skb, &packet);
	/* The stack drops and counts malformed packets. */
	if (parsed != PARSED)
		return side == SIDE_INSIDE && has_second_tag(skb) ? told(row, OUTCOME_MALFORMED, DROP) :
								    told(row, outcome_of(parsed), LEAVE);
	/* No pod may imitate a node: after masquerading, other nodes would trust the packet's source address. */
	if (side == SIDE_INSIDE && (is_of_tunnel(skb, &packet, node, &inside) || is_part_of_tunnel(&packet, node)))
		return told(row, OUTCOME_SPOOFED_TUNNEL, DROP);
	if (side == SIDE_OUTSIDE) {
		enum unwrapped unwrapped = out_of_tunnel(skb, &packet, node);

		if (unwrapped == UNWRAPPED_FORGED)
			return told(row, OUTCOME_SPOOFED_TUNNEL, DROP);
		if (unwrapped == UNWRAPPED) {
			side = SIDE_TUNNEL;
			peer = packet.source;
			parsed = parse(skb, &packet);
			if (parsed != PARSED)
				return told(row, outcome_of(parsed), DROP);
		}
	}
	came_by = side == SIDE_TUNNEL ? CAME_BY_TUNNEL : CAME_IN;
	now = time_of_tick();
	flow = find_flow(&packet);
	is_new = !flow || is_over(flow, &packet, now);
	if (!is_new) {
		sender = side == SIDE_INSIDE  ? sender_of(skb, flow, &packet) :
			 side == SIDE_OUTSIDE ? sender_outside(flow) :
						SENDER_EXPECTED;
		if (sender == SENDER_SPOOFED)
			return told(row, OUTCOME_SPOOFED_SOURCE, DROP);
		/* It is not translated: the stack decides what it may do. */
		if (sender == SENDER_OUTSIDE)
			return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
		/* The stack sent it out, and `outgoing` translates it back. */
		if (side == SIDE_OUTSIDE && (flow->flags & FLOW_BY_STACK))
			return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
	} else if (!may_open(&packet)) {
		/* In the middle of an unknown connection: only the stack's own tracking may know it. */
		return told(row, OUTCOME_LEFT_TO_STACK, side == SIDE_TUNNEL ? DROP : LEAVE);
	} else {
		/* A pod cannot end a flow of another pod. */
		if (flow && (side != SIDE_INSIDE || is_own_address(skb, &packet)))
			forget_flow(flow, &packet, now);
		if ((node->flags & CONFIG_LEAVING) && side != SIDE_TUNNEL)
			return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
		switch (open_flow(skb, &packet, side, node, &peer, now, &flow, &there)) {
		case OPENED:
			forget_between_pods(flow, packet.protocol);
			break;
		case OPENED_ELSEWHERE:
			break;
		case OPENED_SPOOFED:
			return told(row, OUTCOME_SPOOFED_SOURCE, DROP);
		case OPENED_NO_BACKEND:
			if (!may_answer(now))
				return told(row, OUTCOME_ANSWER_LIMIT, DROP);
			return told(row, OUTCOME_NO_BACKEND, refuse(skb, &packet, came_by, node, &peer));
		case OPENED_NO_LOCAL:
			return told(row, OUTCOME_NO_BACKEND, DROP);
		case OPENED_NOT_ALLOWED:
			return told(row, OUTCOME_SOURCE_RANGE, DROP);
		case OPENED_NO_ROOM:
			return told(row, OUTCOME_TABLE_FULL, DROP);
		default:
			neighbour = side == SIDE_INSIDE ? begin_between_pods(skb, &packet, there, now) : 0;
			if (neighbour)
				return told(row, OUTCOME_FORWARDED, into_pod(skb, &packet, neighbour));
			/* Only services come through our tunnel. */
			return told(row, OUTCOME_LEFT_TO_STACK, side == SIDE_TUNNEL ? DROP : LEAVE);
		}
	}
	obstacle = obstacle_to(skb, &packet, flow, node, came_by);
	if (obstacle != NO_OBSTACLE)
		return say_what(skb, &packet, obstacle, came_by, node, &peer, row, now);
	if (!is_new)
		translated = translate(skb, &packet, flow, &peer, now);
	else if (flow->type == FLOW_TYPE_HANDED_ON)
		translated = HANDED_ON;
	else
		translated = client_to_backend(skb, &packet, flow);
	if (translated != NOT_OURS)
		return go_on(skb, &packet, flow, translated, node, row);
	return side == SIDE_TUNNEL ? told(row, OUTCOME_SPOOFED_TUNNEL, DROP) : told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
}

SEC("tc")
int outgoing(struct __sk_buff *skb)
{
	const struct config *node = synced_config();
	struct address none = {};
	struct packet packet = {};
	enum translated translated;
	enum obstacle obstacle;
	struct flow *flow;
	__u64 now;

	if (skb->tc_index == NEEDS_NOTHING_MORE) {
		/* Programs after this one must not see our mark. */
		skb->tc_index = 0;
		return LEAVE;
	}
	if (!node || vlan_of(skb))
		return LEAVE;
	if (parse(skb, &packet) != PARSED)
		return LEAVE;
	flow = find_flow(&packet);
	if (!flow || flow->type != FLOW_TYPE_BACKEND || !is_from_backend(flow, &packet))
		return LEAVE;
	now = time_of_tick();
	if (is_over(flow, &packet, now))
		return LEAVE;
	obstacle = obstacle_to(skb, &packet, flow, node, CAME_OUT);
	if (obstacle != NO_OBSTACLE)
		return say_what(skb, &packet, obstacle, CAME_OUT, node, &none, 0, now);
	translated = translate(skb, &packet, flow, &none, now);
	if (is_answer(flow))
		return go_on(skb, &packet, flow, translated, node, 0);
	return translated == BROKEN ? told(0, OUTCOME_REWRITE_FAILED, DROP) : LEAVE;
}

#endif
