import { createHash } from 'node:crypto';

/** A Service of one port (TCP by default) with its endpoints, `address:port`, and a port of all nodes where it has one. */
export type RuledService = {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly endpoints: readonly string[];
  readonly nodePort?: number;
  readonly protocol?: 'tcp' | 'udp';
};

const nameOf = (prefix: string, text: string) =>
  `${prefix}-${createHash('sha256')
    .update(text)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, 'X')
    .toUpperCase()
    .slice(0, 16)}`;

/** What kube-proxy writes in iptables mode (kubernetes pkg/proxy/iptables/proxier.go, v1.34), as `iptables-restore` takes it. */
export function iptablesRules(services: readonly RuledService[], podNetwork: string): string {
  const chains = ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-POSTROUTING', 'KUBE-MARK-MASQ'];
  const rules = [
    '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING',
    '-A KUBE-MARK-MASQ -j MARK --or-mark 0x4000',
    '-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN',
    '-A KUBE-POSTROUTING -j MARK --xor-mark 0x4000',
    '-A KUBE-POSTROUTING -j MASQUERADE --random-fully',
  ];
  for (const { name, address, port, endpoints, nodePort, protocol = 'tcp' } of services) {
    const chain = nameOf('KUBE-SVC', name);
    const to = `-d ${address}/32 -p ${protocol} -m comment --comment "bench/${name} cluster IP" -m ${protocol} --dport ${port}`;
    chains.push(chain);
    rules.push(`-A KUBE-SERVICES ${to} -j ${chain}`, `-A ${chain} ! -s ${podNetwork} ${to} -j KUBE-MARK-MASQ`);
    if (nodePort !== undefined) {
      const outside = nameOf('KUBE-EXT', name);
      chains.push(outside);
      rules.push(
        `-A KUBE-NODEPORTS -p ${protocol} -m comment --comment "bench/${name}" -m ${protocol} --dport ${nodePort} -j ${outside}`,
        `-A ${outside} -j KUBE-MARK-MASQ`,
        `-A ${outside} -j ${chain}`,
      );
    }
    for (const [at, endpoint] of endpoints.entries()) {
      const of = nameOf('KUBE-SEP', `${name} ${endpoint}`);
      const left = endpoints.length - at;
      const chance = left === 1 ? '' : `-m statistic --mode random --probability ${(1 / left).toFixed(10)} `;
      chains.push(of);
      rules.push(
        `-A ${chain} -m comment --comment "bench/${name} -> ${endpoint}" ${chance}-j ${of}`,
        `-A ${of} -s ${endpoint.split(':')[0]}/32 -m comment --comment "bench/${name}" -j KUBE-MARK-MASQ`,
        `-A ${of} -p ${protocol} -m comment --comment "bench/${name}" -m ${protocol} -j DNAT --to-destination ${endpoint}`,
      );
    }
  }
  rules.push('-A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS');
  return `*filter
:KUBE-FORWARD - [0:0]
-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
-A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
COMMIT
*nat
${chains.map((chain) => `:${chain} - [0:0]`).join('\n')}
${rules.join('\n')}
COMMIT
`;
}

export type Chain = { readonly name: string; readonly rules: readonly string[] };

/** The chains of a Service in nftables mode: one for each endpoint, its own, and the one of those who come from outside. */
export function chainsOf(
  { name, address, port, endpoints, protocol = 'tcp' }: RuledService,
  podNetwork: string,
): Chain[] {
  const ofEndpoint = (endpoint: string) => `endpoint-${nameOf('E', `${name} ${endpoint}`)}`;
  const choices = endpoints.map((endpoint, at) => `${at} : goto ${ofEndpoint(endpoint)}`);
  const own = `service-${nameOf('S', name)}`;
  return [
    ...endpoints.map((endpoint) => ({
      name: ofEndpoint(endpoint),
      rules: [
        `ip saddr ${endpoint.split(':')[0]} jump mark-for-masquerade`,
        `meta l4proto ${protocol} dnat to ${endpoint}`,
      ],
    })),
    {
      name: own,
      rules: [
        `ip daddr ${address} ${protocol} dport ${port} ip saddr != ${podNetwork} jump mark-for-masquerade`,
        `numgen random mod ${endpoints.length} vmap { ${choices.join(', ')} }`,
      ],
    },
    { name: `external-${nameOf('S', name)}`, rules: ['jump mark-for-masquerade', `goto ${own}`] },
  ];
}

/** What kube-proxy writes in nftables mode (kubernetes pkg/proxy/nftables/proxier.go, v1.34), as `nft -f -` takes it. */
export function nftablesRules(services: readonly RuledService[], podNetwork: string): string {
  const chains = services
    .flatMap((service) => chainsOf(service, podNetwork))
    .map(({ name, rules }) => `chain ${name} {\n  ${rules.join('\n  ')}\n}`);
  const entries = services.map(
    ({ name, address, port, protocol = 'tcp' }) =>
      `${address} . ${protocol} . ${port} : goto service-${nameOf('S', name)}`,
  );
  const ofNodes = services.flatMap(({ name, nodePort, protocol = 'tcp' }) =>
    nodePort === undefined ? [] : [`${protocol} . ${nodePort} : goto external-${nameOf('S', name)}`],
  );
  return `table ip kube-proxy {
chain mark-for-masquerade { mark set mark or 0x4000; }
chain masquerading {
  mark and 0x4000 == 0 return
  mark set mark xor 0x4000
  masquerade fully-random
}
${chains.join('\n')}
map service-ips {
  type ipv4_addr . inet_proto . inet_service : verdict
  elements = { ${entries.join(',\n')} }
}
map service-nodeports {
  type inet_proto . inet_service : verdict
  ${ofNodes.length === 0 ? '' : `elements = { ${ofNodes.join(',\n')} }`}
}
chain services {
  ip daddr . meta l4proto . th dport vmap @service-ips
  fib daddr type local meta l4proto . th dport vmap @service-nodeports
}
chain nat-prerouting { type nat hook prerouting priority dstnat; jump services; }
chain nat-output { type nat hook output priority -100; jump services; }
chain nat-postrouting { type nat hook postrouting priority srcnat; jump masquerading; }
map firewall-ips { type ipv4_addr . inet_proto . inet_service : verdict; }
map no-endpoint-services { type ipv4_addr . inet_proto . inet_service : verdict; }
map no-endpoint-nodeports { type inet_proto . inet_service : verdict; }
chain firewall-check { ip daddr . meta l4proto . th dport vmap @firewall-ips; }
chain service-endpoints-check { ip daddr . meta l4proto . th dport vmap @no-endpoint-services; }
chain nodeport-endpoints-check { fib daddr type local meta l4proto . th dport vmap @no-endpoint-nodeports; }
chain cluster-ips-check { ip daddr 10.96.0.0/12 drop; }
chain filter-prerouting { type filter hook prerouting priority -110; ct state new jump firewall-check; }
chain filter-input {
  type filter hook input priority -110
  ct state new jump nodeport-endpoints-check
  ct state new jump service-endpoints-check
}
chain filter-forward {
  type filter hook forward priority -110
  ct state new jump service-endpoints-check
  ct state new jump cluster-ips-check
}
chain filter-output {
  type filter hook output priority -110
  ct state new jump service-endpoints-check
  ct state new jump firewall-check
}
chain filter-output-post-dnat { type filter hook output priority -90; ct state new jump cluster-ips-check; }
}
`;
}
