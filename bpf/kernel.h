/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The basis of all other headers: the kernel's user API, libbpf's macros, and some of ours.
 *
 * No internal structure of the kernel is read, so that no program needs the kernel's BTF. No constant is in .rodata,
 * .data or .bss: libbpf 1.1 cannot create an anonymous .rodata on kernels before 5.5. The map `config` holds the
 * configuration instead, and the build refuses objects with such a section.
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

/* A structure that userspace reads too: changing its size changes the layout's version. */
#define ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")

/* One access, at this point: another processor may access it too. */
#define READ_ONCE(x)	     (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))

/* Hides a value from the compiler, which would otherwise turn arithmetic into branches. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

/* In assembler, because the compiler would keep a pointer to the field, which no verifier accepts for a context. */
ALWAYS_INLINE __u32 ifindex_of(const struct __sk_buff *skb)
{
	__u64 ifindex;

	asm("%0 = *(u32 *)(%1 + %2)" : "=r"(ifindex) : "r"(skb), "i"(offsetof(struct __sk_buff, ifindex)));
	return ifindex;
}

/*
 * Parts that a kernel may lack and the programs can do without: marks that occur as no other number. The lower half is
 * the helper's number in enum bpf_func_id, or one that no helper has.
 */
enum kernel_part {
	KERNEL_NETNS_COOKIE = 0x5b160000 + BPF_FUNC_get_netns_cookie,
	KERNEL_REDIRECT_NEIGH = 0x5b160000 + BPF_FUNC_redirect_neigh,
	KERNEL_REDIRECT_PEER = 0x5b160000 + BPF_FUNC_redirect_peer,
	KERNEL_GSO_SIZE = 0x5b161000,
};

/*
 * Whether the kernel has a part: true as built. For a kernel without it the agent replaces the mark by 0 before loading
 * (lib/node/bpf/load/kernel-parts.ts). The verifier sees a constant either way, checks one branch only, never sees the
 * missing part in the other, and removes that.
 */
#define HAS(part)                                                                                                      \
	({                                                                                                             \
		__u64 has_part;                                                                                        \
		asm volatile("%0 = %1" : "=r"(has_part) : "i"(part));                                                  \
		has_part;                                                                                              \
	})

#define NSEC_PER_SEC 1000000000ULL

#endif
