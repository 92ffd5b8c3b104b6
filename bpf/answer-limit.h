/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Limits the answers that are sent in place of a packet's destination: otherwise somebody who sends from forged
 * addresses could make us flood their owners. Counted per processor, so that none waits for another.
 */
#ifndef SIGNALBOX_ANSWER_LIMIT_H
#define SIGNALBOX_ANSWER_LIMIT_H

#include "kernel.h"

/* 1,000 a second, the kernel's own limit (net.ipv4.icmp_msgs_per_sec). */
#define ANSWERS_AT_ONCE	 100
#define ANSWERS_EVERY_NS (NSEC_PER_SEC / 10)

struct answer_budget {
	__u64 since_ns;
	__u64 left;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct answer_budget);
} answer_budgets SEC(".maps");

ALWAYS_INLINE bool may_answer(__u64 now)
{
	__u32 zero = 0;
	struct answer_budget *budget = bpf_map_lookup_elem(&answer_budgets, &zero);

	if (!budget)
		return false;
	if (now - budget->since_ns >= ANSWERS_EVERY_NS) {
		budget->since_ns = now;
		budget->left = ANSWERS_AT_ONCE;
	}
	if (!budget->left)
		return false;
	budget->left--;
	return true;
}

#endif
