/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* What the agent decides for the whole node. All zero, as the map is made, is: touch nothing. */
#ifndef SIGNALBOX_CONFIG_H
#define SIGNALBOX_CONFIG_H

#include "address.h"

enum config_flag {
	/* The services were written completely once: before, no packet is translated and none refused. */
	CONFIG_SYNCED = 1 << 0,
	CONFIG_DSR = 1 << 1,
	/* Only the host's own processes get UDP translated at the socket; pods' datagrams are by `incoming`. */
	CONFIG_UDP_OF_HOST_ALONE = 1 << 2,
	/* The programs are about to go: what begins is left to whoever serves after them, so that it can be handed over. */
	CONFIG_LEAVING = 1 << 3,
};

/* A wire format between versions: these never change. VXLAN's own port, and a VNI that no overlay is known to take. */
enum tunnel_default {
	TUNNEL_PORT = 4789,
	TUNNEL_VNI = 5333146,
};

struct config {
	__u32 flags;
	__u32 vni;
	__be16 tunnel_port;
	/* What fits into the tunnel of an IPv4 packet, its header included; IPv6 travels in IPv6, and has 20 less. */
	__u16 tunnel_mtu;
	__u32 pad;
	/* Where our tunnels end; `::` where the node has none of the family. */
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
