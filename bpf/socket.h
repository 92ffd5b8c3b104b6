/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Services at the socket: connect() and sendmsg() get a backend instead of the service, so that no packet needs
 * translation; recvmsg() and getpeername() show the service again. Attached to the root of cgroup2, for every process
 * of the node, in pods and outside.
 */
#ifndef SIGNALBOX_SOCKET_H
#define SIGNALBOX_SOCKET_H

#include "service-lookup.h"
#include "socket-origin.h"
#include "statistics.h"

#define ECONNREFUSED 111

/* Return values of cgroup2 hooks. */
enum socket_verdict {
	SOCKET_REFUSE = 0,
	SOCKET_GO_ON = 1,
};

/* Before Linux 5.18 a program with bpf_set_retval cannot be loaded; connect() then fails with EPERM. */
enum socket_refusal {
	REFUSE_AS_NOT_PERMITTED,
	REFUSE_AS_REFUSED,
};

struct socket_end {
	struct address address;
	__be16 port;
};

ALWAYS_INLINE bool is_loopback(const struct address *address)
{
	if (address_is_v4(address))
		return (address->word[3] & bpf_htonl(0xff000000)) == bpf_htonl(0x7f000000);
	return !address->word[0] && !address->word[1] && !address->word[2] && address->word[3] == bpf_htonl(1);
}

enum owner {
	OWNER_HOST,
	OWNER_POD,
	/* Before Linux 5.7 it is unknown. */
	OWNER_UNKNOWN,
};

ALWAYS_INLINE enum owner owner_of(struct bpf_sock_addr *ctx)
{
	if (!HAS(KERNEL_NETNS_COOKIE))
		return OWNER_UNKNOWN;
	return bpf_get_netns_cookie(ctx) == bpf_get_netns_cookie(NULL) ? OWNER_HOST : OWNER_POD;
}

/* Identifies all processes of one pod, or of the host; of the whole node where they cannot be told apart. */
ALWAYS_INLINE __u64 client_of(struct bpf_sock_addr *ctx)
{
	return HAS(KERNEL_NETNS_COOKIE) ? bpf_get_netns_cookie(ctx) : 0;
}

ALWAYS_INLINE struct stream_origin *stream_origin_of(__u64 cookie)
{
	__u32 place = cookie & (STREAM_ORIGINS - 1);

	return bpf_map_lookup_elem(&stream_origins, &place);
}

ALWAYS_INLINE void remember_stream(__u64 cookie, const struct socket_end *service, const struct socket_end *backend)
{
	struct stream_origin *origin = stream_origin_of(cookie);

	if (!origin)
		return;
	WRITE_ONCE(origin->cookie, 0);
	origin->backend = backend->address;
	origin->backend_port = backend->port;
	origin->service = service->address;
	origin->service_port = service->port;
	WRITE_ONCE(origin->cookie, cookie);
}

/* Another socket may take the index during the read; the result is then discarded. */
ALWAYS_INLINE bool stream_origin(__u64 cookie, struct socket_end *end)
{
	const struct stream_origin *origin = stream_origin_of(cookie);
	struct socket_end service;

	if (!origin || READ_ONCE(origin->cookie) != cookie || origin->backend_port != end->port ||
	    !address_equal(&origin->backend, &end->address))
		return false;
	service.address = origin->service;
	service.port = origin->service_port;
	if (READ_ONCE(origin->cookie) != cookie)
		return false;
	*end = service;
	return true;
}

ALWAYS_INLINE void remember_origin(__u64 cookie, __u8 protocol, const struct socket_end *service,
				   const struct socket_end *backend, __u32 service_id)
{
	struct socket_origin_key key = {
		.cookie = cookie,
		.backend = backend->address,
		.port = backend->port,
		.protocol = protocol,
	};
	struct socket_origin origin = {
		.service = service->address,
		.port = service->port,
		.service_id = service_id,
	};

	bpf_map_update_elem(&socket_origins, &key, &origin, BPF_ANY);
}

/*
 * Replaces a service in `end` by a backend. A stream without a backend is refused; a datagram without one stays
 * unchanged, because connect() of a UDP socket must not fail, and nobody answers for the service on the way.
 */
ALWAYS_INLINE enum socket_verdict to_backend(struct bpf_sock_addr *ctx, struct socket_end *end,
					     enum socket_refusal refusal, bool *changed)
{
	const struct config *node = synced_config();
	struct affinity_key affinity_key = {};
	const struct socket_end asked = *end;
	const struct service *service;
	const struct backend *backend;
	const struct route *route;
	struct affinity had = {};
	__u8 protocol = ctx->protocol;
	__u64 cookie, now = 0;
	bool has_affinity;

	if (!node || (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP))
		return SOCKET_GO_ON;
	if (protocol == IPPROTO_UDP && (node->flags & CONFIG_UDP_OF_HOST_ALONE) && owner_of(ctx) == OWNER_POD)
		return SOCKET_GO_ON;
	/* A pod's loopback is its own. */
	if (is_loopback(&asked.address) && owner_of(ctx) != OWNER_HOST)
		return SOCKET_GO_ON;
	service = find_service(&asked.address, asked.port, protocol, SIDE_INSIDE, &asked.address, &route);
	if (!service)
		return SOCKET_GO_ON;

	cookie = bpf_get_socket_cookie(ctx);
	has_affinity = service->flags & SERVICE_AFFINITY;
	if (has_affinity) {
		__u64 client = client_of(ctx);

		__builtin_memcpy(&affinity_key.client, &client, sizeof(client));
		affinity_key.service = service->id;
		now = bpf_ktime_get_ns();
	}
	if (has_affinity && had_last(service, SIDE_INSIDE, &affinity_key, now, &had)) {
		end->address = had.backend;
		end->port = had.port;
	} else {
		/* All datagrams of a socket go to one backend. */
		__u32 number = protocol == IPPROTO_UDP ? (__u32)(cookie * 2654435761ULL >> 16) : bpf_get_prandom_u32();

		backend = choose_backend(service, SIDE_INSIDE, number);
		if (!backend) {
			if (protocol == IPPROTO_UDP)
				return SOCKET_GO_ON;
			if (refusal == REFUSE_AS_REFUSED)
				bpf_set_retval(-ECONNREFUSED);
			count(0, OUTCOME_REFUSED);
			return SOCKET_REFUSE;
		}
		end->address = backend->address;
		end->port = backend->port;
		if (has_affinity) {
			had.backend = backend->address;
			had.node = backend->node;
			had.port = backend->port;
			had.last_ns = now;
			bpf_map_update_elem(&affinities, &affinity_key, &had, BPF_ANY);
		}
	}
	if (protocol == IPPROTO_TCP)
		remember_stream(cookie, &asked, end);
	else
		remember_origin(cookie, protocol, &asked, end, service->id);
	count(0, OUTCOME_CONNECTED);
	*changed = true;
	return SOCKET_GO_ON;
}

/* The service that this socket asked for when it got `end`. */
ALWAYS_INLINE bool to_origin(struct bpf_sock_addr *ctx, struct socket_end *end)
{
	struct socket_origin_key key = {
		.cookie = bpf_get_socket_cookie(ctx),
		.backend = end->address,
		.port = end->port,
		.protocol = ctx->protocol,
	};
	const struct socket_origin *origin;

	if (key.protocol == IPPROTO_TCP)
		return stream_origin(key.cookie, end);
	origin = bpf_map_lookup_elem(&socket_origins, &key);
	if (!origin)
		return false;
	end->address = origin->service;
	end->port = origin->port;
	return true;
}

ALWAYS_INLINE struct socket_end end_v4(struct bpf_sock_addr *ctx)
{
	struct socket_end end = {.address = address_of_v4(ctx->user_ip4), .port = ctx->user_port};

	return end;
}

ALWAYS_INLINE void set_end_v4(struct bpf_sock_addr *ctx, const struct socket_end *end)
{
	ctx->user_ip4 = end->address.word[3];
	ctx->user_port = end->port;
}

/* Also for `::ffff:10.96.0.1`, which is IPv4 and looks the same in the maps. */
ALWAYS_INLINE struct socket_end end_v6(struct bpf_sock_addr *ctx)
{
	struct socket_end end = {
		.address = {.word = {ctx->user_ip6[0], ctx->user_ip6[1], ctx->user_ip6[2], ctx->user_ip6[3]}},
		.port = ctx->user_port,
	};

	return end;
}

ALWAYS_INLINE void set_end_v6(struct bpf_sock_addr *ctx, const struct socket_end *end)
{
	ctx->user_ip6[0] = end->address.word[0];
	ctx->user_ip6[1] = end->address.word[1];
	ctx->user_ip6[2] = end->address.word[2];
	ctx->user_ip6[3] = end->address.word[3];
	ctx->user_port = end->port;
}

#define TO_BACKEND(family, refusal)                                                                                    \
	struct socket_end end = end_##family(ctx);                                                                     \
	bool changed = false;                                                                                          \
	enum socket_verdict verdict = to_backend(ctx, &end, refusal, &changed);                                        \
                                                                                                                       \
	if (changed)                                                                                                   \
		set_end_##family(ctx, &end);                                                                           \
	return verdict

#define TO_ORIGIN(family)                                                                                              \
	struct socket_end end = end_##family(ctx);                                                                     \
                                                                                                                       \
	if (to_origin(ctx, &end))                                                                                      \
		set_end_##family(ctx, &end);                                                                           \
	return SOCKET_GO_ON

SEC("cgroup/connect4")
int connect4(struct bpf_sock_addr *ctx)
{
	TO_BACKEND(v4, REFUSE_AS_REFUSED);
}

SEC("cgroup/connect4")
int connect4_plain(struct bpf_sock_addr *ctx)
{
	TO_BACKEND(v4, REFUSE_AS_NOT_PERMITTED);
}

SEC("cgroup/connect6")
int connect6(struct bpf_sock_addr *ctx)
{
	TO_BACKEND(v6, REFUSE_AS_REFUSED);
}

SEC("cgroup/connect6")
int connect6_plain(struct bpf_sock_addr *ctx)
{
	TO_BACKEND(v6, REFUSE_AS_NOT_PERMITTED);
}

SEC("cgroup/sendmsg4")
int sendmsg4(struct bpf_sock_addr *ctx)
{
	TO_BACKEND(v4, REFUSE_AS_NOT_PERMITTED);
}

SEC("cgroup/sendmsg6")
int sendmsg6(struct bpf_sock_addr *ctx)
{
	TO_BACKEND(v6, REFUSE_AS_NOT_PERMITTED);
}

SEC("cgroup/recvmsg4")
int recvmsg4(struct bpf_sock_addr *ctx)
{
	TO_ORIGIN(v4);
}

SEC("cgroup/recvmsg6")
int recvmsg6(struct bpf_sock_addr *ctx)
{
	TO_ORIGIN(v6);
}

SEC("cgroup/getpeername4")
int getpeername4(struct bpf_sock_addr *ctx)
{
	TO_ORIGIN(v4);
}

SEC("cgroup/getpeername6")
int getpeername6(struct bpf_sock_addr *ctx)
{
	TO_ORIGIN(v6);
}

#endif
