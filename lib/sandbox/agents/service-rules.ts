import { createHash } from 'node:crypto';
import { endpointSliceOf, type KubeObject, serviceOf } from '#lib/kube/index.ts';

export type ServicePort = {
  name: string;
  clusterIP: string;
  port: number;
  protocol: string;
  backends: { address: string; port: number }[];
};

/** Every ClusterIP and port with its backends, as a service proxy, or Felix in its place, derives them from the API. */
export function servicePorts(services: readonly KubeObject[], slices: readonly KubeObject[]): ServicePort[] {
  const parsedSlices = slices.map(endpointSliceOf);
  return services.flatMap((object) => {
    const { metadata, spec } = serviceOf(object);
    if (spec.clusterIP === 'None' || spec.clusterIP === '') return [];
    const own = parsedSlices.filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels['kubernetes.io/service-name'] === metadata.name,
    );
    return spec.ports.map((port) => ({
      name: `${metadata.namespace}/${metadata.name}${port.name ? `:${port.name}` : ''}`,
      clusterIP: spec.clusterIP,
      port: port.port ?? 0,
      protocol: port.protocol || 'TCP',
      backends: own.flatMap((slice) =>
        slice.ports
          .filter((each) => (each.name ?? '') === port.name)
          .flatMap((each) =>
            slice.endpoints.flatMap(({ addresses }) => addresses.map((address) => ({ address, port: each.port ?? 0 }))),
          ),
      ),
    }));
  });
}

/** `iptables-save -t nat` with the chains of kube-proxy in iptables mode; null: a table without any. */
export function natTable(ports: readonly ServicePort[] | null): string {
  const builtin = [
    ':PREROUTING ACCEPT [0:0]',
    ':INPUT ACCEPT [0:0]',
    ':OUTPUT ACCEPT [0:0]',
    ':POSTROUTING ACCEPT [0:0]',
  ];
  if (!ports) return ['*nat', ...builtin, 'COMMIT', ''].join('\n');
  const chains = ports.map((port) => ({
    port,
    service: chainOf('KUBE-SVC-', port),
    endpoints: port.backends.map((backend) => ({
      backend,
      chain: chainOf('KUBE-SEP-', port, `${backend.address}:${backend.port}`),
    })),
  }));
  return [
    '*nat',
    ...builtin,
    ':KUBE-KUBELET-CANARY - [0:0]',
    ':KUBE-MARK-MASQ - [0:0]',
    ':KUBE-NODEPORTS - [0:0]',
    ':KUBE-POSTROUTING - [0:0]',
    ':KUBE-PROXY-CANARY - [0:0]',
    ...chains.flatMap(({ service, endpoints }) => [
      ...endpoints.map(({ chain }) => `:${chain} - [0:0]`),
      `:${service} - [0:0]`,
    ]),
    ':KUBE-SERVICES - [0:0]',
    '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING',
    '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000',
    ...chains.flatMap(({ port, service, endpoints }) => {
      const protocol = port.protocol.toLowerCase();
      return [
        ...endpoints.map(
          ({ backend, chain }) =>
            `-A ${chain} -p ${protocol} -m comment --comment "${port.name}" -m ${protocol} -j DNAT --to-destination ${backend.address}:${backend.port}`,
        ),
        `-A KUBE-SERVICES -d ${port.clusterIP}/32 -p ${protocol} -m comment --comment "${port.name} cluster IP" -m ${protocol} --dport ${port.port} -j ${service}`,
        ...endpoints.map(
          ({ backend, chain }) =>
            `-A ${service} -m comment --comment "${port.name} -> ${backend.address}:${backend.port}" -j ${chain}`,
        ),
      ];
    }),
    'COMMIT',
    '',
  ].join('\n');
}

/** kube-proxy's names of chains (pkg/proxy/iptables `portProtoHash`): 16 characters of the base32 SHA-256 of name, protocol and endpoint. */
function chainOf(prefix: string, { name, protocol }: ServicePort, endpoint = ''): string {
  const digest = createHash('sha256').update(`${name}${protocol.toLowerCase()}${endpoint}`).digest();
  const bits = Array.from(digest.subarray(0, 10), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => base32[Number.parseInt(five, 2)]);
  return `${prefix}${letters.join('')}`;
}
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const protocolNumbers: Record<string, number> = { TCP: 6, UDP: 17, SCTP: 132 };

/** `calico-node -bpf nat dump`: one line per front, one indented line per backend. */
export function natDump(ports: readonly ServicePort[]): string {
  return ports
    .flatMap(({ clusterIP, port, protocol, backends }, id) => [
      `${clusterIP} port ${port} proto ${protocolNumbers[protocol] ?? 0} id ${id} count ${backends.length} local 0`,
      ...backends.map((backend, index) => `\t${id}:${index}\t ${backend.address}:${backend.port}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** `iptables-save -t nat` with a proxy in IPVS mode: its virtual servers are elsewhere, but sets mark packets to them here. */
export function ipvsNatTable(): string {
  return [
    '*nat',
    ':PREROUTING ACCEPT [0:0]',
    ':KUBE-LOAD-BALANCER - [0:0]',
    ':KUBE-MARK-MASQ - [0:0]',
    ':KUBE-NODE-PORT - [0:0]',
    ':KUBE-POSTROUTING - [0:0]',
    ':KUBE-SERVICES - [0:0]',
    '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A KUBE-SERVICES -m comment --comment "Kubernetes service cluster ip + port for masquerade purpose" -m set --match-set KUBE-CLUSTER-IP src,dst -j KUBE-MARK-MASQ',
    '-A KUBE-SERVICES -m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT',
    'COMMIT',
    '',
  ].join('\n');
}

/** `cat /proc/net/ip_vs`: only the header if there are no virtual servers. */
export function ipvsTable(ports: readonly ServicePort[] | null): string {
  const hex = (address: string, port: number): string =>
    `${address
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  return [
    'IP Virtual Server version 1.2.1 (size=4096)',
    'Prot LocalAddress:Port Scheduler Flags',
    '  -> RemoteAddress:Port Forward Weight ActiveConn InActConn',
    ...(ports ?? []).flatMap(({ clusterIP, port, protocol, backends }) => [
      `${protocol}  ${hex(clusterIP, port)} rr `,
      ...backends.map((backend) => `  -> ${hex(backend.address, backend.port)}      Masq    1      0          0`),
    ]),
    '',
  ].join('\n');
}
