/**
 * Features that eBPF mode does not support (spec › Limits › Unsupported features). Operator and agent accept all of them without an error (calico.md §10), so
 * checks look for them.
 */
export type UnsupportedFeature = {
  /** The check that finds its use. */
  readonly check: string;
  readonly title: string;
  /** First release that does not support it; null: none ever did. */
  readonly since: string | null;
  /** First release that supports it; null: none yet. */
  readonly until: string | null;
  readonly note: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const fromSpec = {
  since: null,
  until: null,
  source: 'spec › Limits › Unsupported features',
  read: '2026-11-21',
} as const;
const fromCode = { ...fromSpec, source: `${fromSpec.source}; calico.md §10` } as const;

export const unsupportedFeatures: readonly UnsupportedFeature[] = [
  {
    check: 'node.mixed-dataplane',
    title: 'Clusters that mix eBPF nodes with nodes on the standard data plane',
    note: 'NodePort traffic that is forwarded between the two kinds of nodes is dropped.',
    ...fromSpec,
  },
  {
    check: 'node.linux-only',
    title: 'Windows nodes',
    note: 'A Windows node is a node on another data plane.',
    ...fromSpec,
  },
  {
    check: 'feature.floating-ips',
    title: 'Floating IPs',
    note: 'Translated by the standard data plane only.',
    ...fromCode,
  },
  {
    check: 'feature.sctp',
    title: 'SCTP, in policy and for Services',
    note: 'Services of that protocol are accepted and not translated.',
    ...fromCode,
  },
  {
    check: 'feature.log-action',
    title: 'The action Log in policy rules',
    note: 'From v3.30 on the line goes to the BPF trace pipe of the node, never to the kernel log. The documentation still lists the action.',
    ...fromCode,
    until: 'v3.30.0',
  },
  {
    check: 'feature.vlan-devices',
    title: 'Tagged VLAN devices',
    note: 'Programs do not read the tag, but the pattern of data interfaces matches such devices.',
    ...fromCode,
  },
  {
    check: 'feature.l7-logs',
    title: 'L7 logs',
    note: 'They need a proxy in the path of the traffic.',
    ...fromSpec,
  },
  {
    check: 'feature.application-layer-policy',
    title: 'Application layer policies',
    note: 'They need a proxy in the path of the traffic.',
    ...fromCode,
  },
  {
    check: 'feature.waf',
    title: 'Web application firewall',
    note: 'It needs a proxy in the path of the traffic.',
    ...fromSpec,
  },
];
