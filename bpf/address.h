/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * An address of either family in 16 bytes, in network order. IPv4 is mapped (RFC 4291 §2.5.5.2), so that all code after
 * the parsing has to know only one family.
 */
#ifndef SIGNALBOX_ADDRESS_H
#define SIGNALBOX_ADDRESS_H

#include "kernel.h"

struct address {
	__be32 word[4];
};
ASSERT_SIZE(struct address, 16);

ALWAYS_INLINE struct address address_of_v4(__be32 v4)
{
	struct address address = {.word = {0, 0, bpf_htonl(0xffff), v4}};

	return address;
}

ALWAYS_INLINE bool address_is_v4(const struct address *address)
{
	return !address->word[0] && !address->word[1] && address->word[2] == bpf_htonl(0xffff);
}

ALWAYS_INLINE bool address_equal(const struct address *a, const struct address *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2] &&
	       a->word[3] == b->word[3];
}

/* `::`, which no packet and no service has, stands for a missing address. */
ALWAYS_INLINE bool address_is_none(const struct address *address)
{
	return !(address->word[0] | address->word[1] | address->word[2] | address->word[3]);
}

#endif
