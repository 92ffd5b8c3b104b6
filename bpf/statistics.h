/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Counts by interface and by what became of a packet. Row 0 is of no interface: sockets, and what has no row of its own. */
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
	/* Not answered, because others were already. */
	OUTCOME_ANSWER_LIMIT = 13,
	/* Its next hop has told no hardware address yet, where no program has the kernel ask for it (next-hop.h). */
	OUTCOME_NO_NEIGHBOUR = 14,
	/* No way to the node that its tunnel ends at. */
	OUTCOME_NO_ROUTE = 15,
	OUTCOMES = 32,
};

#define STATISTICS_ROWS 256

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, STATISTICS_ROWS * OUTCOMES);
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

/* Of what was to go on, and does not: in place of a verdict, until it is told. Those of the kernel are below. */
#define DROP_AS(outcome) (0x100 + (outcome))

#endif
