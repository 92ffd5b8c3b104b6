/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The time of the last tick (1 to 10 ms). It suffices, because it is compared with seconds, and reading the clock takes
 * a fifth of the time that a packet may take. Linux 5.11 has bpf_ktime_get_coarse_ns for it; this works from 5.6, and
 * before with the exact time (lib/node/bpf/load/kernel-parts.ts).
 */
#ifndef SIGNALBOX_CLOCK_H
#define SIGNALBOX_CLOCK_H

#include "kernel.h"

struct ticked {
	__u64 tick;
	__u64 ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ticked);
} ticked SEC(".maps");

/* In the time of bpf_ktime_get_ns. */
ALWAYS_INLINE __u64 time_of_tick(void)
{
	__u32 zero = 0;
	struct ticked *last = bpf_map_lookup_elem(&ticked, &zero);
	__u64 tick = bpf_jiffies64();

	if (!last)
		return bpf_ktime_get_ns();
	if (last->tick != tick) {
		last->ns = bpf_ktime_get_ns();
		last->tick = tick;
	}
	return last->ns;
}

/* Signed, because another processor may have written a later time than `now`: the age must not wrap around. */
ALWAYS_INLINE bool is_older(__u64 last_ns, __u64 now, __u64 seconds)
{
	return (__s64)(now - last_ns) > (__s64)(seconds * NSEC_PER_SEC);
}

#endif
