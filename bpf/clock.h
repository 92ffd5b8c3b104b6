/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The time of the last tick (1 to 10 ms): what is asked of it lasts for seconds, and to read the clock takes a fifth of what a
 * packet may. Linux 5.11 has bpf_ktime_get_coarse_ns for it; this does from 5.6, and before
 * (lib/node/bpf/load/kernel-parts.ts) with the exact time.
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

/* Of bpf_ktime_get_ns. */
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

#endif
