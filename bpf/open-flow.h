/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The first packet of a flow to a service: every decision about it is made here. */
#ifndef SIGNALBOX_OPEN_FLOW_H
#define SIGNALBOX_OPEN_FLOW_H

#include "interface.h"
#include "statistics.h"
#include "translate.h"

enum opened {
	/* To no service of ours. */
	OPENED_NONE,
	OPENED,
	OPENED_NO_BACKEND,
	OPENED_NOT_ALLOWED,
	OPENED_SPOOFED,
	OPENED_NO_ROOM,
	/* For a backend of another node, which a packet from outside must reach unchanged. */
	OPENED_ELSEWHERE,
};

ALWAYS_INLINE bool is_in_source_ranges(const struct service *service, const struct address *client)
{
	struct source_range_key key = {.prefix = 32 + 128, .service = service->id, .address = *client};

	return bpf_map_lookup_elem(&source_ranges, &key);
}

ALWAYS_INLINE bool backend_for(const struct service *service, enum side side, const struct address *client, __u64 now,
			       struct affinity *chosen)
{
	struct affinity_key key = {.client = *client, .service = service->id};
	const struct backend *backend;

	/* Which of the node's own it is was not chosen yet. */
	if ((service->flags & SERVICE_AFFINITY) && side != SIDE_TUNNEL && had_last(service, &key, now, chosen))
		return true;
	backend = choose_backend(service, side, bpf_get_prandom_u32());
	if (!backend)
		return false;
	chosen->backend = backend->address;
	chosen->port = backend->port;
	chosen->last_ns = now;
	if (service->flags & SERVICE_AFFINITY)
		bpf_map_update_elem(&affinities, &key, chosen, BPF_ANY);
	return true;
}

/* `flow` is filled for OPENED: its entries stand, and the packet is to be translated by it. */
ALWAYS_INLINE enum opened open_flow(struct __sk_buff *skb, const struct packet *packet, enum side side, __u64 now,
				    struct flow **opened)
{
	const struct service *service =
		find_service(&packet->destination, packet->destination_port, packet->protocol);
	struct affinity chosen = {};
	const struct route *to;
	struct flow *flow;
	__u32 zero = 0;

	if (!service)
		return OPENED_NONE;
	if (side == SIDE_INSIDE) {
		const struct route *from = find_route(&packet->source);

		if (!from || !(from->flags & ROUTE_LOCAL) || from->ifindex != skb->ifindex)
			return OPENED_SPOOFED;
	}
	if (side == SIDE_OUTSIDE && (service->flags & SERVICE_SOURCE_RANGES) &&
	    !is_in_source_ranges(service, &packet->source))
		return OPENED_NOT_ALLOWED;
	if (!backend_for(service, side, &packet->source, now, &chosen))
		return OPENED_NO_BACKEND;
	to = find_route(&chosen.backend);
	if (side == SIDE_OUTSIDE && (!to || !(to->flags & ROUTE_LOCAL)))
		return OPENED_ELSEWHERE;

	flow = bpf_map_lookup_elem(&new_flow, &zero);
	if (!flow)
		return OPENED_NO_ROOM;
	__builtin_memset(flow, 0, sizeof(*flow));
	flow->last_ns = now;
	flow->created_ns = now;
	flow->packets[0] = 1;
	flow->bytes[0] = skb->len;
	flow->tcp[0] = packet->tcp;
	flow->client = packet->source;
	flow->client_port = packet->source_port;
	flow->snat_port = packet->source_port;
	flow->service = packet->destination;
	flow->service_port = packet->destination_port;
	flow->backend = chosen.backend;
	flow->backend_port = chosen.port;
	flow->service_id = service->id;
	flow->ifindex[0] = to && (to->flags & ROUTE_LOCAL) ? to->ifindex : 0;
	flow->ifindex[1] = side == SIDE_INSIDE ? skb->ifindex : 0;
	flow->flags = (side == SIDE_INSIDE ? 0 : FLOW_FROM_OUTSIDE) |
		      (address_equal(&flow->client, &flow->backend) ? FLOW_TO_ITSELF : 0);
	if (!remember(flow, packet->protocol, now))
		return OPENED_NO_ROOM;
	*opened = flow;
	return OPENED;
}

#endif
