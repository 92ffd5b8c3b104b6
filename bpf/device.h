/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The programs of interfaces, of pods and of the network alike: `incoming`, and `outgoing` for what the host's stack sends:
 * answers of host-networked backends, and of flows that left by the stack. Neither sets an expected attach type, so that one
 * program does for clsact and tcx.
 */
#ifndef SIGNALBOX_DEVICE_H
#define SIGNALBOX_DEVICE_H

#include "forward.h"
#include "open-flow.h"

ALWAYS_INLINE int told(__u32 row, enum outcome outcome, int verdict)
{
	count(row & (STATISTICS_ROWS - 1), outcome);
	return verdict;
}

ALWAYS_INLINE int go_on(struct __sk_buff *skb, const struct packet *packet, enum translated translated, __u32 row)
{
	if (translated == BROKEN)
		return told(row, OUTCOME_REWRITE_FAILED, DROP);
	return told(row, OUTCOME_FORWARDED, forward(skb, packet));
}

SEC("tc")
int incoming(struct __sk_buff *skb)
{
	__u32 ifindex = skb->ifindex;
	const struct interface *here = bpf_map_lookup_elem(&interfaces, &ifindex);
	struct packet packet = {};
	enum translated translated;
	struct flow *flow;
	enum parsed parsed;
	enum side side;
	__u64 now;
	__u32 row;

	if (!here || !synced_config())
		return LEAVE;
	side = here->kind == INTERFACE_POD ? SIDE_INSIDE : SIDE_OUTSIDE;
	row = here->statistics;
	parsed = parse(skb, &packet);
	/* The stack drops what is malformed, and counts it. */
	if (parsed != PARSED)
		return told(row, parsed == PARSED_MALFORMED ? OUTCOME_MALFORMED : OUTCOME_LEFT_TO_STACK, LEAVE);
	now = bpf_ktime_get_ns();
	flow = find_flow(&packet);
	if (flow && !is_over(flow, &packet, now)) {
		if (side == SIDE_INSIDE && is_spoofed(skb, flow, &packet))
			return told(row, OUTCOME_SPOOFED_SOURCE, DROP);
		translated = translate(skb, &packet, flow, now);
		if (translated == NOT_OURS)
			return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
		return go_on(skb, &packet, translated, row);
	}
	/* In the middle of what we never saw begin: the stack's own tracking knows it, or nobody does. */
	if (!may_open(&packet))
		return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
	switch (open_flow(skb, &packet, side, now, &flow)) {
	case OPENED:
		return go_on(skb, &packet, client_to_backend(skb, &packet, flow), row);
	case OPENED_SPOOFED:
		return told(row, OUTCOME_SPOOFED_SOURCE, DROP);
	case OPENED_NO_BACKEND:
		return told(row, OUTCOME_NO_BACKEND, DROP);
	case OPENED_NOT_ALLOWED:
		return told(row, OUTCOME_SOURCE_RANGE, DROP);
	case OPENED_NO_ROOM:
		return told(row, OUTCOME_TABLE_FULL, DROP);
	default:
		return told(row, OUTCOME_LEFT_TO_STACK, LEAVE);
	}
}

SEC("tc")
int outgoing(struct __sk_buff *skb)
{
	struct packet packet = {};
	struct flow *flow;
	__u64 now;

	if (!synced_config() || parse(skb, &packet) != PARSED)
		return LEAVE;
	flow = find_flow(&packet);
	now = bpf_ktime_get_ns();
	if (!flow || flow->type != FLOW_TYPE_BACKEND || !is_from_backend(flow, &packet) || is_over(flow, &packet, now))
		return LEAVE;
	return translate(skb, &packet, flow, now) == BROKEN ? told(0, OUTCOME_REWRITE_FAILED, DROP) : LEAVE;
}

#endif
