/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * What of a packet's headers decides. They are copied out: no pointer into the packet outlives a rewrite, and headers
 * beyond the linear part are read all the same.
 */
#ifndef SIGNALBOX_PACKET_H
#define SIGNALBOX_PACKET_H

#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include "conntrack.h"

/* Whatever we do not understand, or need not touch: the next program and the host's stack have it. */
#define LEAVE TC_ACT_UNSPEC
#define DROP  TC_ACT_SHOT

struct packet {
	struct address source;
	struct address destination;
	/* Both are offsets from the start of the Ethernet header. */
	__u32 network;
	__u32 transport;
	__be16 source_port;
	__be16 destination_port;
	__u8 protocol;
	__u8 ttl;
	/* Of enum tcp_seen. */
	__u8 tcp;
	bool is_v4;
};

enum parsed {
	PARSED,
	/* No IP, an extension header, a fragment, a protocol without ports: the stack knows it better. */
	PARSED_FOREIGN,
	/* Says that it is longer than it is, or has a header that cannot be. */
	PARSED_MALFORMED,
};

ALWAYS_INLINE enum parsed parse_v4(struct __sk_buff *skb, struct packet *packet)
{
	struct iphdr ip;

	if (bpf_skb_load_bytes(skb, packet->network, &ip, sizeof(ip)))
		return PARSED_MALFORMED;
	if (ip.version != 4 || ip.ihl < 5 || bpf_ntohs(ip.tot_len) < ip.ihl * 4)
		return PARSED_MALFORMED;
	/* Any part but a whole datagram: neither MORE nor an offset. */
	if (ip.frag_off & bpf_htons(0x3fff))
		return PARSED_FOREIGN;
	packet->is_v4 = true;
	packet->source = address_of_v4(ip.saddr);
	packet->destination = address_of_v4(ip.daddr);
	packet->protocol = ip.protocol;
	packet->ttl = ip.ttl;
	packet->transport = packet->network + ip.ihl * 4;
	return PARSED;
}

ALWAYS_INLINE enum parsed parse_v6(struct __sk_buff *skb, struct packet *packet)
{
	struct ipv6hdr ip;

	if (bpf_skb_load_bytes(skb, packet->network, &ip, sizeof(ip)))
		return PARSED_MALFORMED;
	if (ip.version != 6)
		return PARSED_MALFORMED;
	packet->is_v4 = false;
	__builtin_memcpy(&packet->source, &ip.saddr, sizeof(packet->source));
	__builtin_memcpy(&packet->destination, &ip.daddr, sizeof(packet->destination));
	/* A packet that claims to be of a mapped address would be taken for IPv4. */
	if (address_is_v4(&packet->source) || address_is_v4(&packet->destination))
		return PARSED_MALFORMED;
	packet->protocol = ip.nexthdr;
	packet->ttl = ip.hop_limit;
	packet->transport = packet->network + sizeof(ip);
	return PARSED;
}

ALWAYS_INLINE enum parsed parse_ports(struct __sk_buff *skb, struct packet *packet)
{
	struct {
		__be16 source;
		__be16 destination;
	} ports;
	__u8 flags;

	if (packet->protocol != IPPROTO_TCP && packet->protocol != IPPROTO_UDP)
		return PARSED_FOREIGN;
	if (bpf_skb_load_bytes(skb, packet->transport, &ports, sizeof(ports)))
		return PARSED_MALFORMED;
	packet->source_port = ports.source;
	packet->destination_port = ports.destination;
	packet->tcp = 0;
	if (packet->protocol == IPPROTO_UDP)
		return PARSED;
	if (bpf_skb_load_bytes(skb, packet->transport + 13, &flags, sizeof(flags)))
		return PARSED_MALFORMED;
	if (flags & 0x02)
		packet->tcp |= SEEN_SYN;
	if (flags & 0x01)
		packet->tcp |= SEEN_FIN;
	if (flags & 0x04)
		packet->tcp |= SEEN_RST;
	if (flags & 0x10)
		packet->tcp |= SEEN_ACK;
	return PARSED;
}

ALWAYS_INLINE enum parsed parse(struct __sk_buff *skb, struct packet *packet)
{
	enum parsed parsed;

	packet->network = ETH_HLEN;
	if (skb->protocol == bpf_htons(ETH_P_IP))
		parsed = parse_v4(skb, packet);
	else if (skb->protocol == bpf_htons(ETH_P_IPV6))
		parsed = parse_v6(skb, packet);
	else
		return PARSED_FOREIGN;
	return parsed == PARSED ? parse_ports(skb, packet) : parsed;
}

/* The first packet of a connection, or any datagram: what may start a flow. */
ALWAYS_INLINE bool may_open(const struct packet *packet)
{
	return packet->protocol == IPPROTO_UDP || (packet->tcp & (SEEN_SYN | SEEN_ACK)) == SEEN_SYN;
}

#endif
