/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* What the agent decides for the whole node. All zeros, as the map begins, mean: change no packet. */
#ifndef SIGNALBOX_CONFIG_H
#define SIGNALBOX_CONFIG_H

#include "address.h"

enum config_flag {
	/* The services were written completely once: before that no packet is translated or refused. */
	CONFIG_SYNCED = 1 << 0,
	CONFIG_DSR = 1 << 1,
	/* UDP is translated at the socket only for the host's processes; `incoming` translates pods' datagrams. */
	CONFIG_UDP_OF_HOST_ALONE = 1 << 2,
	/* The programs will be detached: the next service proxy gets new connections, for the handover. */
	CONFIG_LEAVING = 1 << 3,
	/* Every interface has programs that look in both tables of flows, so that one may begin in the newer one. */
	CONFIG_HOLDS_FLOWS = 1 << 4,
};

/* A wire format between versions, which never changes: VXLAN's port, and a VNI that no known overlay uses. */
enum tunnel_default {
	TUNNEL_PORT = 4789,
	TUNNEL_VNI = 5333146,
};

struct config {
	__u32 flags;
	__u32 vni;
	__be16 tunnel_port;
	/* The largest IPv4 packet, header included, that fits into the tunnel; IPv6 uses IPv6, with 20 bytes less. */
	__u16 tunnel_mtu;
	__u32 pad;
	/* Our ends of tunnels; `::` if the node has no address of the family. */
	struct address node_v4;
	struct address node_v6;
};
ASSERT_SIZE(struct config, 48);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct config);
} config SEC(".maps");

#endif
