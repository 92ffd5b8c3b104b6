/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The header fields of a packet on which decisions depend. They are copied, because no pointer into a packet survives a
 * rewrite, and so headers beyond the linear part can be read too.
 */
#ifndef SIGNALBOX_PACKET_H
#define SIGNALBOX_PACKET_H

#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include "conntrack.h"
#include "fragment.h"
#include "parsed.h"

ALWAYS_INLINE enum parsed parsed_part(struct __sk_buff *skb, struct packet *packet, enum part part)
{
	/* Of quoted packets only a first part names its ports. */
	if (part == PART_REST) {
		packet->is_rest = true;
		return !packet->quoted && has_ports_of_first(skb, packet) ? PARSED : PARSED_FOREIGN;
	}
	packet->is_first = part == PART_FIRST;
	if (packet->is_first && !packet->quoted)
		remember_first(skb, packet);
	return PARSED;
}

/* BIG TCP of IPv4: segments whose total exceeds the length field, which is then 0. */
ALWAYS_INLINE bool is_too_long_to_say(const struct __sk_buff *skb, __be16 length)
{
	return !length && skb->len > ETH_HLEN + 65535;
}

/* Bytes behind `headers` in each packet into which this one will be cut; 0: it stays whole. Before 5.7 at least. */
ALWAYS_INLINE __u32 segment_size(const struct __sk_buff *skb, __u32 headers)
{
	__u32 parts;

	if (HAS(KERNEL_GSO_SIZE))
		return skb->gso_size;
	parts = skb->gso_segs;
	/* A whole TCP packet counts as one segment. */
	return parts > 1 ? (skb->len - headers + parts - 1) / parts : 0;
}

ALWAYS_INLINE enum parsed parse_v4_at(struct __sk_buff *skb, struct packet *packet, __u32 at)
{
	struct iphdr ip;

	if (bpf_skb_load_bytes(skb, at, &ip, sizeof(ip)))
		return PARSED_MALFORMED;
	if (ip.version != 4 || ip.ihl < 5 ||
	    (bpf_ntohs(ip.tot_len) < ip.ihl * 4 && !is_too_long_to_say(skb, ip.tot_len)))
		return PARSED_MALFORMED;
	packet->is_v4 = true;
	packet->source = address_of_v4(ip.saddr);
	packet->destination = address_of_v4(ip.daddr);
	packet->protocol = ip.protocol;
	packet->ttl = ip.ttl;
	packet->transport = at + ip.ihl * 4;
	packet->datagram = ip.id;
	return parsed_part(skb, packet, part_of_v4(&ip));
}

ALWAYS_INLINE enum parsed parse_v6_at(struct __sk_buff *skb, struct packet *packet, __u32 at)
{
	struct fragment_header part;
	struct ipv6hdr ip;

	if (bpf_skb_load_bytes(skb, at, &ip, sizeof(ip)))
		return PARSED_MALFORMED;
	if (ip.version != 6)
		return PARSED_MALFORMED;
	packet->is_v4 = false;
	__builtin_memcpy(&packet->source, &ip.saddr, sizeof(packet->source));
	__builtin_memcpy(&packet->destination, &ip.daddr, sizeof(packet->destination));
	/* A mapped address in an IPv6 packet would be mistaken for IPv4. */
	if (address_is_v4(&packet->source) || address_is_v4(&packet->destination))
		return PARSED_MALFORMED;
	packet->protocol = ip.nexthdr;
	packet->ttl = ip.hop_limit;
	packet->transport = at + sizeof(ip);
	if (packet->protocol != IPPROTO_FRAGMENT)
		return PARSED;
	if (bpf_skb_load_bytes(skb, packet->transport, &part, sizeof(part)))
		return PARSED_MALFORMED;
	packet->protocol = part.protocol;
	packet->transport += sizeof(part);
	packet->datagram = part.datagram;
	return parsed_part(skb, packet, part_of_v6(&part));
}

/*
 * From the header's byte of flags: 0x01 is FIN, 0x02 SYN, 0x04 RST, 0x10 ACK. Without branches, each of which doubles
 * the work of a verifier.
 */
ALWAYS_INLINE __u8 seen_of(__u8 flags)
{
	return (flags >> 1 & (SEEN_SYN | SEEN_ACK)) | (flags & SEEN_RST) | (flags << 1 & SEEN_FIN);
}

ALWAYS_INLINE enum parsed parse_ports(struct __sk_buff *skb, struct packet *packet)
{
	struct {
		__be16 source;
		__be16 destination;
	} ports;
	/* Of TCP, what follows the ports. */
	struct {
		__be16 sequence[2];
		__be16 acknowledges[2];
		__u8 length;
		__u8 flags;
	} segment;
	__u16 says;

	if (packet->protocol != IPPROTO_TCP && packet->protocol != IPPROTO_UDP)
		return PARSED_FOREIGN;
	if (bpf_skb_load_bytes(skb, packet->transport, &ports, sizeof(ports)))
		return PARSED_MALFORMED;
	packet->source_port = ports.source;
	packet->destination_port = ports.destination;
	/* An error need quote no more than the ports. */
	if (packet->protocol == IPPROTO_UDP || packet->quoted)
		return PARSED;
	if (bpf_skb_load_bytes(skb, packet->transport + sizeof(ports), &segment, sizeof(segment)))
		return PARSED_MALFORMED;
	packet->tcp = seen_of(segment.flags);
	packet->sequence = bpf_ntohs(segment.sequence[0]);
	/* All ones where it acknowledges anything. */
	says = -(__u16)(segment.flags >> 4 & 1);
	OPAQUE(says);
	packet->acknowledges = bpf_ntohs(segment.acknowledges[0]) & says;
	return PARSED;
}

/* In bytes, options included; 0 if it cannot be read. Only for packets of TCP. */
ALWAYS_INLINE __u32 tcp_header_length(struct __sk_buff *skb, const struct packet *packet)
{
	/* The byte behind the acknowledgement; a bit field, as the length in it is, has no offset. */
	__u32 at = packet->transport + offsetof(struct tcphdr, ack_seq) + sizeof(__be32);
	__u8 words;

	return bpf_skb_load_bytes(skb, at, &words, 1) ? 0 : (words >> 4) * 4;
}

#define ICMP_HEADER_SIZE 8

/* RFC 792: unreachable, source quench, time exceeded, parameter problem. RFC 4443: all types below 128. */
ALWAYS_INLINE bool is_error(__u8 protocol, __u8 type)
{
	if (protocol == IPPROTO_ICMP)
		return type == 3 || type == 4 || type == 11 || type == 12;
	return protocol == IPPROTO_ICMPV6 && type < 128;
}

/* The packet that an error quotes, seen from the error's sender. */
ALWAYS_INLINE enum parsed parse_error(struct __sk_buff *skb, struct packet *packet)
{
	struct address sent_to = packet->destination;
	__u32 at = packet->transport;
	enum parsed parsed;
	__be16 port;
	__u8 type;

	if (bpf_skb_load_bytes(skb, at, &type, sizeof(type)) || !is_error(packet->protocol, type))
		return PARSED_FOREIGN;
	packet->quoted = at + ICMP_HEADER_SIZE;
	parsed = packet->is_v4 ? parse_v4_at(skb, packet, packet->quoted) : parse_v6_at(skb, packet, packet->quoted);
	if (parsed != PARSED || parse_ports(skb, packet) != PARSED)
		return PARSED_FOREIGN;
	/* A true error goes to the sender of the packet that it quotes. */
	if (!address_equal(&sent_to, &packet->source))
		return PARSED_FOREIGN;
	packet->source = packet->destination;
	packet->destination = sent_to;
	port = packet->source_port;
	packet->source_port = packet->destination_port;
	packet->destination_port = port;
	return PARSED;
}

ALWAYS_INLINE enum parsed parse(struct __sk_buff *skb, struct packet *packet)
{
	enum parsed parsed;
	__u8 ttl;

	packet->network = ETH_HLEN;
	packet->quoted = 0;
	packet->tcp = 0;
	packet->acknowledges = 0;
	packet->is_first = false;
	packet->is_rest = false;
	if (skb->protocol == bpf_htons(ETH_P_IP))
		parsed = parse_v4_at(skb, packet, ETH_HLEN);
	else if (skb->protocol == bpf_htons(ETH_P_IPV6))
		parsed = parse_v6_at(skb, packet, ETH_HLEN);
	else
		return PARSED_FOREIGN;
	if (parsed != PARSED || packet->is_rest)
		return parsed;
	if (packet->protocol != (packet->is_v4 ? IPPROTO_ICMP : IPPROTO_ICMPV6))
		return parse_ports(skb, packet);
	ttl = packet->ttl;
	parsed = parse_error(skb, packet);
	packet->ttl = ttl;
	return parsed;
}

/* Whether the packet may start a flow: the first of a connection, or any datagram. */
ALWAYS_INLINE bool may_open(const struct packet *packet)
{
	if (packet->quoted || packet->is_rest)
		return false;
	return packet->protocol == IPPROTO_UDP || (packet->tcp & (SEEN_SYN | SEEN_ACK)) == SEEN_SYN;
}

#endif
