/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The first packet of a flow to a service: all decisions about the flow are made here. */
#ifndef SIGNALBOX_OPEN_FLOW_H
#define SIGNALBOX_OPEN_FLOW_H

#include "interface.h"
#include "statistics.h"
#include "translate.h"

enum opened {
	/* No service of ours. */
	OPENED_NONE,
	OPENED,
	OPENED_NO_BACKEND,
	/* No backend on this node, where the traffic policy requires one. */
	OPENED_NO_LOCAL,
	OPENED_NOT_ALLOWED,
	OPENED_SPOOFED,
	OPENED_NO_ROOM,
	/* For a backend of another node, to which a packet from outside is passed unchanged by this entry. */
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

	/*
	 * Out of a tunnel too: the other node keeps the client at this node, and this one at its backend. Before
	 * Linux 5.10 that is too much for a verifier.
	 */
	if ((service->flags & SERVICE_AFFINITY) && (side != SIDE_TUNNEL || HAS(KERNEL_REDIRECT_NEIGH)) &&
	    had_last(service, side, &key, now, chosen))
		return true;
	backend = choose_backend(service, side, bpf_get_prandom_u32());
	if (!backend)
		return false;
	chosen->backend = backend->address;
	chosen->node = backend->node;
	chosen->port = backend->port;
	chosen->last_ns = now;
	if (service->flags & SERVICE_AFFINITY)
		bpf_map_update_elem(&affinities, &key, chosen, BPF_ANY);
	return true;
}

/* The end of a tunnel to a backend's node; `::` if it has none of the packet's family. */
ALWAYS_INLINE struct address tunnel_to(const struct address *node, bool is_v4)
{
	struct address none = {};
	const struct route *route;

	if (address_is_v4(node) != is_v4)
		return none;
	route = find_route(node);
	return route && (route->flags & ROUTE_TUNNEL) ? *node : none;
}

/* Whether the backend is a pod of another node, not the node itself. `there` is its route. */
ALWAYS_INLINE bool is_pod_elsewhere(const struct affinity *chosen, const struct route *there)
{
	return !address_is_none(&chosen->node) && !(there && (there->flags & ROUTE_HOST));
}

/*
 * Fills `opened` for OPENED and OPENED_ELSEWHERE: the entries are written, and the packet must follow them. For a pod's
 * packet to no service of ours, `to` becomes the route of its destination.
 */
ALWAYS_INLINE enum opened open_flow(struct __sk_buff *skb, const struct packet *packet, enum side side,
				    const struct config *node, const struct address *peer, __u64 now,
				    struct flow **opened, const struct route **to)
{
	const struct service *service = find_service(&packet->destination, packet->destination_port, packet->protocol,
						     side, &packet->source, to);
	struct affinity chosen = {};
	const struct route *there;
	struct flow *flow;
	bool is_local;
	__u32 zero = 0;

	if (!service)
		return OPENED_NONE;
	if (side == SIDE_INSIDE && !is_own_address(skb, packet))
		return OPENED_SPOOFED;
	if (side == SIDE_OUTSIDE && (service->flags & SERVICE_SOURCE_RANGES) &&
	    !is_in_source_ranges(service, &packet->source))
		return OPENED_NOT_ALLOWED;
	if (!backend_for(service, side, &packet->source, now, &chosen)) {
		/*
		 * As kube-proxy, drops it: a retry reaches another node. Another node that chose this one by its own
		 * knowledge gets a refusal, because its client would wait in vain.
		 */
		return service->cluster_backends && side != SIDE_TUNNEL ? OPENED_NO_LOCAL : OPENED_NO_BACKEND;
	}
	there = find_route(&chosen.backend);
	is_local = there && (there->flags & ROUTE_LOCAL);
	/* The backend was removed meanwhile; a packet from a node never goes on to a third one. */
	if (side == SIDE_TUNNEL && !is_local)
		return OPENED_NO_BACKEND;
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
	flow->ifindex[0] = is_local ? there->ifindex : 0;
	flow->ifindex[1] = side == SIDE_INSIDE ? ifindex_of(skb) : 0;
	flow->flags = (side == SIDE_INSIDE ? 0 : FLOW_FROM_OUTSIDE) |
		      (address_equal(&flow->client, &flow->backend) ? FLOW_TO_ITSELF : 0) |
		      (is_local && (there->flags & ROUTE_HOST) ? FLOW_HOST_BACKEND : 0) |
		      (side == SIDE_INSIDE && !is_local && !is_pod_elsewhere(&chosen, there) ? FLOW_BY_STACK : 0);
	flow->peer_node = *peer;
	*opened = flow;
	if (side == SIDE_OUTSIDE && !is_local) {
		struct flow_key key = key_of_service(flow, packet->protocol);

		flow->peer_node = tunnel_to(&chosen.node, packet->is_v4);
		flow->type = FLOW_TYPE_HANDED_ON;
		if (address_is_none(&flow->peer_node))
			return OPENED_NONE;
		return add_flow(&key, flow, node, BPF_ANY) ? OPENED_ELSEWHERE : OPENED_NO_ROOM;
	}
	if (side == SIDE_TUNNEL && (node->flags & CONFIG_DSR)) {
		const struct route *client = find_route(&flow->client);

		if (!client || !(client->flags & ROUTE_NO_DSR))
			flow->flags |= FLOW_DSR;
	}
	if (!remember(flow, packet->protocol, node, now))
		return OPENED_NO_ROOM;
	return OPENED;
}

#endif
