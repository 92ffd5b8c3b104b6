/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Session affinity: a client's last backend. The kernel writes; the agent deletes entries of removed backends. */
#ifndef SIGNALBOX_AFFINITY_H
#define SIGNALBOX_AFFINITY_H

#include "service.h"

struct affinity_key {
	/* At connect time the client has no address yet: its first words then hold its network namespace's cookie. */
	struct address client;
	__u32 service;
	__u32 pad;
};
ASSERT_SIZE(struct affinity_key, 24);

struct affinity {
	struct address backend;
	/* As in the backend's own record. */
	struct address node;
	__be16 port;
	__u16 pad[3];
	/* Of bpf_ktime_get_ns. */
	__u64 last_ns;
};
ASSERT_SIZE(struct affinity, 48);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, struct affinity_key);
	__type(value, struct affinity);
} affinities SEC(".maps");

#endif
