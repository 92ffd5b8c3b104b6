/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Services per packet: the client's tuple on one side, the backend's on the other. */
#ifndef SIGNALBOX_TRANSLATE_H
#define SIGNALBOX_TRANSLATE_H

#include "flow.h"
#include "rewrite.h"
#include "service-lookup.h"

enum translated {
	NOT_OURS,
	TRANSLATED,
	/* Unchanged: to the other end of the flow's tunnel, or to its client. */
	HANDED_ON,
	HANDED_BACK,
	/* Half written: it must not go on. */
	BROKEN,
};

/* One value per processor at a time; programs of interfaces do not interrupt each other. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct flow);
} new_flow SEC(".maps");

ALWAYS_INLINE bool is_from_client(const struct flow *flow, const struct packet *packet)
{
	return packet->source_port == flow->client_port && address_equal(&packet->source, &flow->client) &&
	       address_equal(&packet->destination, &flow->service);
}

ALWAYS_INLINE bool is_from_backend(const struct flow *flow, const struct packet *packet)
{
	return packet->source_port == flow->backend_port && packet->destination_port == flow->snat_port &&
	       address_equal(&packet->source, &flow->backend);
}

ALWAYS_INLINE struct flow_key key_of_backend(const struct flow *flow, __u8 protocol)
{
	struct address seen = client_as_seen(flow);

	return flow_key_of(&seen, flow->snat_port, &flow->backend, flow->backend_port, protocol);
}

ALWAYS_INLINE struct flow_key key_of_service(const struct flow *flow, __u8 protocol)
{
	return flow_key_of(&flow->client, flow->client_port, &flow->service, flow->service_port, protocol);
}

/* Whether it is the other half of this flow: another flow may have its tuple by now, with the client's port reused. */
ALWAYS_INLINE bool is_half_of(const struct flow *half, const struct flow *flow)
{
	return half->created_ns == flow->created_ns && half->client_port == flow->client_port &&
	       half->backend_port == flow->backend_port && address_equal(&half->client, &flow->client) &&
	       address_equal(&half->service, &flow->service) && address_equal(&half->backend, &flow->backend);
}

/*
 * The flow is over, and new packets with its tuples may not be ours: neither they nor their answers may be translated.
 * `flow` was found by the packet; its other half is deleted with it if it is over too.
 */
ALWAYS_INLINE void forget_flow(const struct flow *flow, const struct packet *packet, __u64 now)
{
	struct flow_key found = flow_key_of_packet(packet);
	struct flow_key other = flow->type == FLOW_TYPE_SERVICE ? key_of_backend(flow, packet->protocol) :
								  key_of_service(flow, packet->protocol);
	const struct flow *half = flow->type == FLOW_TYPE_HANDED_ON ? NULL : flow_at(&other);

	if (half && is_half_of(half, flow) && is_over(half, packet, now))
		delete_flow(&other);
	delete_flow(&found);
}

/* The other half of a flow, restored if the table has dropped it. */
ALWAYS_INLINE struct flow *other_half(const struct flow *flow, const struct flow_key *key, __u8 type)
{
	struct flow *found = flow_at(key);
	struct flow *again;
	__u32 zero = 0;

	if (found)
		return found;
	again = bpf_map_lookup_elem(&new_flow, &zero);
	if (!again)
		return NULL;
	__builtin_memcpy(again, flow, sizeof(*again));
	again->type = type;
	bpf_map_update_elem(&flows, key, again, BPF_NOEXIST);
	return bpf_map_lookup_elem(&flows, key);
}

ALWAYS_INLINE enum translated client_to_backend(struct __sk_buff *skb, struct packet *packet, const struct flow *flow)
{
	struct address seen = client_as_seen(flow);

	if (rewrite_end(skb, packet, DESTINATION, &flow->backend, flow->backend_port) ||
	    rewrite_end(skb, packet, SOURCE, &seen, flow->snat_port))
		return BROKEN;
	return TRANSLATED;
}

ALWAYS_INLINE enum translated backend_to_client(struct __sk_buff *skb, struct packet *packet, const struct flow *flow)
{
	if (rewrite_end(skb, packet, SOURCE, &flow->service, flow->service_port) ||
	    rewrite_end(skb, packet, DESTINATION, &flow->client, flow->client_port))
		return BROKEN;
	return TRANSLATED;
}

/*
 * Handles a packet of an open flow. `peer` is the node whose tunnel it came through, `::` for none. A packet that takes
 * another way than the flow is not of it: otherwise any node could put packets into every flow.
 */
ALWAYS_INLINE enum translated translate(struct __sk_buff *skb, struct packet *packet, struct flow *flow,
					const struct address *peer, __u64 now)
{
	bool is_onward = is_from_client(flow, packet);
	struct flow *other;
	struct flow_key key;

	if (is_onward == (flow->type == FLOW_TYPE_HANDED_ON) ? !address_is_none(peer) :
							       !address_equal(peer, &flow->peer_node))
		return NOT_OURS;
	if (flow->type == FLOW_TYPE_HANDED_ON) {
		keep_alive(flow, packet, skb->len, !is_onward, now);
		return is_onward ? HANDED_ON : HANDED_BACK;
	}
	if (flow->type == FLOW_TYPE_SERVICE && is_onward) {
		key = key_of_backend(flow, packet->protocol);
		other = other_half(flow, &key, FLOW_TYPE_BACKEND);
		keep_alive(other ? other : flow, packet, skb->len, 0, now);
		/* Its time-outs are those of the whole flow. */
		if (!packet->quoted)
			flow->last_ns = now;
		if (other && (flow->tcp[0] != other->tcp[0] || flow->tcp[1] != other->tcp[1])) {
			flow->tcp[0] = other->tcp[0];
			flow->tcp[1] = other->tcp[1];
		}
		return client_to_backend(skb, packet, flow);
	}
	if (flow->type == FLOW_TYPE_BACKEND && is_from_backend(flow, packet)) {
		bool is_told = !packet->quoted && (is_older(flow->last_ns, now, 1) || (packet->tcp & SEEN_RST));

		keep_alive(flow, packet, skb->len, 1, now);
		/* Keeps the backend of a client that only listens, and ends both halves after the backend's reset. */
		if (is_told) {
			key = key_of_service(flow, packet->protocol);
			other = flow_at(&key);
			if (other && is_half_of(other, flow)) {
				other->last_ns = now;
				other->tcp[1] |= flow->tcp[1];
			}
		}
		return backend_to_client(skb, packet, flow);
	}
	return NOT_OURS;
}

/* Whether a pod has sent it from an address of its own. */
ALWAYS_INLINE bool is_own_address(const struct __sk_buff *skb, const struct packet *packet)
{
	const struct route *from = find_route(&packet->source);

	return from && (from->flags & ROUTE_LOCAL) && from->ifindex == ifindex_of(skb);
}

enum sender {
	SENDER_EXPECTED,
	/* An outside address, which may be behind a pod that routes, such as a VPN. */
	SENDER_OUTSIDE,
	SENDER_SPOOFED,
};

/*
 * Checks a pod's packet: a flow may only be used by the pod that opened it and the pod to which it was given. No pod
 * here is an end that is elsewhere, but a pod may have opened a flow that came by another node. Pods of other nodes
 * have no route, and are the backends of flows that do not go by the stack.
 */
ALWAYS_INLINE enum sender sender_of(const struct __sk_buff *skb, const struct flow *flow, const struct packet *packet)
{
	bool is_back = is_from_backend(flow, packet);
	__u32 expected = is_back ? flow->ifindex[0] : flow->ifindex[1];
	const struct route *from;

	if (expected)
		return expected == ifindex_of(skb) ? SENDER_EXPECTED : SENDER_SPOOFED;
	from = find_route(&packet->source);
	if (from && (from->flags & (ROUTE_POD | ROUTE_HOST)))
		return from->ifindex == ifindex_of(skb) ? SENDER_EXPECTED : SENDER_SPOOFED;
	return is_back && !(flow->flags & FLOW_BY_STACK) ? SENDER_SPOOFED : SENDER_OUTSIDE;
}

/*
 * Of what comes from outside: no end of a flow does that is a pod of this node, whatever its address says. Under the
 * backend's tuple what the backend sends is changed, and under the others what was sent by who opened the flow.
 */
ALWAYS_INLINE enum sender sender_outside(const struct flow *flow)
{
	return (flow->type == FLOW_TYPE_BACKEND ? flow->ifindex[0] : flow->ifindex[1]) ? SENDER_OUTSIDE :
											 SENDER_EXPECTED;
}

/* Writes the backend's half first: without it nobody finds the service's. A port of another flow to it is replaced. */
ALWAYS_INLINE bool remember(struct flow *flow, __u8 protocol, const struct config *node, __u64 now)
{
	struct flow_key key;

	flow->type = FLOW_TYPE_BACKEND;
	/* The verifier of Linux 6.1 refuses the loop that the compiler would make. */
#pragma unroll
	for (int attempt = 0; attempt < 4; attempt++) {
		const struct flow *had;

		key = key_of_backend(flow, protocol);
		had = flow_at(&key);
		if (had && ((had->client_port == flow->client_port && address_equal(&had->client, &flow->client) &&
			     had->service_port == flow->service_port && address_equal(&had->service, &flow->service)) ||
			    is_older(had->last_ns, now, lasts_s(had, protocol)))) {
			delete_flow(&key);
			had = NULL;
		}
		if (!had && add_flow(&key, flow, node, BPF_NOEXIST))
			goto found;
		flow->snat_port = bpf_htons(20000 + bpf_get_prandom_u32() % 10000);
	}
	return false;
found:
	flow->type = FLOW_TYPE_SERVICE;
	key = key_of_service(flow, protocol);
	return add_flow(&key, flow, node, BPF_ANY);
}

#endif
