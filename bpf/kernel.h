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

#define NSEC_PER_SEC 1000000000ULL

#endif
