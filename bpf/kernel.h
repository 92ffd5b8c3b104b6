/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * What every other header stands on: the kernel's user API, libbpf's macros, and a few of ours.
 *
 * No structure of the kernel's inside is read, so that no program needs the BTF of the kernel that it runs on.
 * No constant lies in .rodata, .data or .bss: libbpf 1.1 cannot create an anonymous .rodata on kernels before 5.5,
 * and what is configured stands in the map `config` instead. The build refuses an object that has such a section.
 */
#ifndef SIGNALBOX_KERNEL_H
#define SIGNALBOX_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/in.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* A structure that userspace reads too: whoever changes its size changes the layout's version. */
#define ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")

/* Exactly once, where it stands: another processor reads or writes it too. */
#define READ_ONCE(x)	     (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))

/* The compiler knows nothing of a value: where it did, it would make branches of arithmetic. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

/* Read so often that the compiler would keep where it is, and no verifier takes a pointer into a context. */
ALWAYS_INLINE __u32 ifindex_of(const struct __sk_buff *skb)
{
	__u64 ifindex;

	asm("%0 = *(u32 *)(%1 + %2)" : "=r"(ifindex) : "r"(skb), "i"(offsetof(struct __sk_buff, ifindex)));
	return ifindex;
}

/*
 * What a kernel may lack, with another way to do without it: marks that nobody takes for a number of something else. The lower
 * half is that of enum bpf_func_id, or one that no helper has.
 */
enum kernel_part {
	KERNEL_NETNS_COOKIE = 0x5b160000 + BPF_FUNC_get_netns_cookie,
	KERNEL_REDIRECT_NEIGH = 0x5b160000 + BPF_FUNC_redirect_neigh,
	KERNEL_REDIRECT_PEER = 0x5b160000 + BPF_FUNC_redirect_peer,
	KERNEL_GSO_SIZE = 0x5b161000,
};

/*
 * Whether the kernel has it: yes, as this is built. Where it has not, the agent writes 0 in the mark's place before it loads the
 * program (lib/node/bpf/load/kernel-parts.ts). To the verifier it is a constant either way: it goes one way only, never sees what
 * the kernel lacks on the other one, and takes that out.
 */
#define HAS(part)                                                          \
	({                                                                 \
		__u64 has_part;                                            \
		asm volatile("%0 = %1" : "=r"(has_part) : "i"(part));      \
		has_part;                                                  \
	})

#define NSEC_PER_SEC 1000000000ULL

#endif
