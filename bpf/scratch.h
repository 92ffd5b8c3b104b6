/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* A buffer in which headers are built, because a program's stack has no room. One use at a time per processor. */
#ifndef SIGNALBOX_SCRATCH_H
#define SIGNALBOX_SCRATCH_H

#include "kernel.h"

struct scratch {
	__u8 byte[192];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratch SEC(".maps");

ALWAYS_INLINE void *empty_scratch(void)
{
	__u32 zero = 0;
	struct scratch *found = bpf_map_lookup_elem(&scratch, &zero);

	if (found)
		__builtin_memset(found, 0, sizeof(*found));
	return found;
}

#endif
