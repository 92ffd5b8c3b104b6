/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* From a front to one of its backends. */
#ifndef SIGNALBOX_SERVICE_LOOKUP_H
#define SIGNALBOX_SERVICE_LOOKUP_H

#include "affinity.h"
#include "clock.h"
#include "config.h"
#include "route.h"
#include "service.h"

/* The side on which a client is decides which list of a service it gets. */
enum side {
	/* A pod or a process of this node. */
	SIDE_INSIDE,
	SIDE_OUTSIDE,
	/* Another node, which has chosen this one. */
	SIDE_TUNNEL,
};

ALWAYS_INLINE const struct config *synced_config(void)
{
	__u32 zero = 0;
	const struct config *found = bpf_map_lookup_elem(&config, &zero);

	return found && (found->flags & CONFIG_SYNCED) ? found : NULL;
}

ALWAYS_INLINE const struct route *find_route(const struct address *address)
{
	struct route_key key = {.prefix = 128, .address = *address};

	return bpf_map_lookup_elem(&routes, &key);
}

/* Of the host itself, or of one of its pods. */
ALWAYS_INLINE bool is_on_this_node(const struct address *address)
{
	const struct route *route = find_route(address);

	return route && (route->flags & ROUTE_LOCAL);
}

/*
 * The front of this address, or else a node port, if the address takes node ports. Out of a tunnel the address belongs
 * to another node, which has checked that, and which alone knows all its addresses: one that moves between nodes (VRRP)
 * is in no Node object. If there is no front, `to` is the address's route.
 */
ALWAYS_INLINE const struct service *find_service(const struct address *address, __be16 port, __u8 protocol,
						 enum side side, const struct address *from, const struct route **to)
{
	struct service_key key = {.address = *address, .port = port, .protocol = protocol};
	const struct service *found = bpf_map_lookup_elem(&services, &key);
	const struct route *route;

	if (found)
		return found;
	route = find_route(address);
	*to = route;
	if (side == SIDE_TUNNEL) {
		/*
		 * This node's answer, of a flow that it has lost, to a client with the port of a node port. Of a stream
		 * nothing that opens one is an answer.
		 */
		if (protocol == IPPROTO_UDP && !(route && (route->flags & ROUTE_HOST)) && is_on_this_node(from))
			return NULL;
	} else if (!route || !(route->flags & ROUTE_NODE_PORTS)) {
		return NULL;
	}
	if (address_is_v4(address))
		key.address = address_of_v4(0);
	else
		__builtin_memset(&key.address, 0, sizeof(key.address));
	return bpf_map_lookup_elem(&services, &key);
}

ALWAYS_INLINE enum backend_list list_for(const struct service *service, enum side side)
{
	__u32 local = side == SIDE_INSIDE ? SERVICE_INSIDE_LOCAL : SERVICE_OUTSIDE_LOCAL;

	return side == SIDE_TUNNEL || (service->flags & local) ? BACKENDS_LOCAL : BACKENDS_CLUSTER;
}

ALWAYS_INLINE const struct backend *backend_in(__u32 service, enum backend_list list, __u32 slot)
{
	struct backend_key key = {.service = service, .slot = slot, .list = list};

	return bpf_map_lookup_elem(&backends, &key);
}

/*
 * The client's last backend, if its time has not run out and the traffic policy still allows it. The agent deletes
 * entries of removed backends, so an entry is as reliable as a slot.
 */
ALWAYS_INLINE bool had_last(const struct service *service, enum side side, const struct affinity_key *key, __u64 now,
			    struct affinity *had)
{
	struct affinity *found = bpf_map_lookup_elem(&affinities, key);

	if (!found || is_older(found->last_ns, now, service->affinity_s))
		return false;
	if (list_for(service, side) == BACKENDS_LOCAL && !is_on_this_node(&found->backend))
		return false;
	had->backend = found->backend;
	had->node = found->node;
	had->port = found->port;
	had->last_ns = now;
	found->last_ns = now;
	return true;
}

/*
 * Chooses by `number`, which is random or identifies what must stay with one backend. Returns NULL if the list is
 * empty. A missing slot is being written by the agent; slot 0 exists as long as the count is not zero.
 */
ALWAYS_INLINE const struct backend *choose_backend(const struct service *service, enum side side, __u32 number)
{
	enum backend_list list = list_for(service, side);
	__u32 count = list == BACKENDS_LOCAL ? service->local_backends : service->cluster_backends;
	const struct backend *found;

	if (!count)
		return NULL;
	found = backend_in(service->id, list, number % count);
	return found ? found : backend_in(service->id, list, 0);
}

#endif
