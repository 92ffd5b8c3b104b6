/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The contents of a packet's headers, after parsing (packet.h). */
#ifndef SIGNALBOX_PARSED_H
#define SIGNALBOX_PARSED_H

#include <linux/pkt_cls.h>
#include "address.h"

/* Packets that we do not understand or need not change go to the next program and the host's stack. */
#define LEAVE TC_ACT_UNSPEC
#define DROP  TC_ACT_SHOT

/*
 * An ICMP error counts as a packet of the flow that it reports on, from the destination of the quoted packet to its
 * source. Addresses, ports and protocol are then those of that flow.
 */
struct packet {
	struct address source;
	struct address destination;
	/* Offsets from the start of the Ethernet header; `quoted` is 0 except for an error. */
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
	/* The datagram's identification, of a part, in network order. */
	__be32 datagram;
	/* The first part; others follow. */
	bool is_first;
	/* A later fragment of a datagram: its ports are those of the first one, and it has no checksum. */
	bool is_rest;
	/* Upper halves of a segment's two numbers. The acknowledged one is 0 if the segment has none. */
	__u16 sequence;
	__u16 acknowledges;
};

enum parsed {
	PARSED,
	/*
	 * Not IP, an extension header, neither ports nor an error about a packet with ports, or a part whose first was
	 * not seen: the stack handles it.
	 */
	PARSED_FOREIGN,
	/* Claims to be longer than it is, or has an impossible header. */
	PARSED_MALFORMED,
};

#endif
