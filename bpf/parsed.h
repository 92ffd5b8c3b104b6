/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* What a packet's headers said, once they are parsed (packet.h). */
#ifndef SIGNALBOX_PARSED_H
#define SIGNALBOX_PARSED_H

#include <linux/pkt_cls.h>
#include "address.h"

/* Whatever we do not understand, or need not touch: the next program and the host's stack have it. */
#define LEAVE TC_ACT_UNSPEC
#define DROP  TC_ACT_SHOT

/*
 * An ICMP error counts as a packet of the flow that it is told of: from whom the packet that it quotes was sent to, to whom
 * that one came from. Addresses, ports and protocol are then of that flow.
 */
struct packet {
	struct address source;
	struct address destination;
	/* All three are offsets from the start of the Ethernet header; `quoted` is 0 but for an error. */
	__u32 network;
	__u32 transport;
	__u32 quoted;
	__be16 source_port;
	__be16 destination_port;
	__u8 protocol;
	__u8 ttl;
	/* Of enum tcp_seen. */
	__u8 tcp;
	bool is_v4;
	/* Of a part of a datagram: which one, in network order. */
	__be32 datagram;
	/* The first part: others follow. */
	bool is_first;
	/* A part of a datagram, but not its first: its ports are those of the first, and it has no sum. */
	bool is_rest;
};

enum parsed {
	PARSED,
	/*
	 * No IP, an extension header, neither ports nor an error about some, a part of what nobody saw begin: the stack
	 * knows it better.
	 */
	PARSED_FOREIGN,
	/* Says that it is longer than it is, or has a header that cannot be. */
	PARSED_MALFORMED,
};

#endif
