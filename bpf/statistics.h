/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Counts by interface and outcome. Row 0 is for sockets, and packets of interfaces without a row of their own. */
#ifndef SIGNALBOX_STATISTICS_H
#define SIGNALBOX_STATISTICS_H

#include "kernel.h"

enum outcome {
	OUTCOME_FORWARDED = 0,
	OUTCOME_LEFT_TO_STACK = 1,
	OUTCOME_NO_BACKEND = 2,
	OUTCOME_MALFORMED = 3,
	OUTCOME_SPOOFED_SOURCE = 4,
	OUTCOME_SPOOFED_TUNNEL = 5,
	OUTCOME_SOURCE_RANGE = 6,
	OUTCOME_TOO_BIG = 7,
	OUTCOME_TTL = 8,
	OUTCOME_TABLE_FULL = 9,
	OUTCOME_REWRITE_FAILED = 10,
	OUTCOME_CONNECTED = 11,
	OUTCOME_REFUSED = 12,
	/* Not answered, because the limit of answers was reached. */
	OUTCOME_ANSWER_LIMIT = 13,
	/* The next hop is not resolved yet, on a kernel where no program can request that (next-hop.h). */
	OUTCOME_NO_NEIGHBOUR = 14,
	/* No route to the node at the end of its tunnel. */
	OUTCOME_NO_ROUTE = 15,
	OUTCOMES = 32,
};

#define STATISTICS_ROWS 256

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, STATISTICS_ROWS *OUTCOMES);
	__type(key, __u32);
	__type(value, __u64);
} statistics SEC(".maps");

ALWAYS_INLINE void count(__u32 row, enum outcome outcome)
{
	__u32 key = row * OUTCOMES + outcome;
	__u64 *value = bpf_map_lookup_elem(&statistics, &key);

	if (value)
		*value += 1;
}

/* Stands in place of a verdict for a packet that cannot go on, until it is counted. The kernel's are lower. */
#define DROP_AS(outcome) (0x100 + (outcome))

#endif
