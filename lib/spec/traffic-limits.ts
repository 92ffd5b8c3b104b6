import { releaseAtLeast } from './releases/versions.ts';

/** Annotations that limit a pod's traffic, and the releases in which eBPF mode enforces them. */
export type TrafficLimit = {
  readonly id: 'bandwidth-plugin' | 'bandwidth' | 'packet-rate' | 'connections';
  readonly title: string;
  readonly annotations: readonly string[];
  /** First release of Calico that reads the annotation; null: the bandwidth plugin of the CNI read it before that. */
  readonly since: string | null;
  /** First release that enforces the limit in eBPF mode; null: none yet. */
  readonly heldFrom: string | null;
  /** `tcx`: enforced in eBPF mode only on nodes with TCX (`tcxKernels`), which unlike TC coexists with traffic shaping. Null: on any supported kernel. */
  readonly kernel: 'tcx' | null;
  /** In eBPF mode before this release such a pod has no network at all; null: it only has no limit. */
  readonly cutOffBefore: string | null;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const page = (release: string) =>
  `tigera/docs calico_versioned_docs/version-${release}/networking/configuring/qos-controls.mdx`;
const of330And331 = `${page('3.30')}; ${page('3.31')}`;
const read = '2026-11-23';
const bothWays = (prefix: string, name: string) => [`${prefix}/ingress${name}`, `${prefix}/egress${name}`];
const calicos = 'qos.projectcalico.org';

export const trafficLimits: readonly TrafficLimit[] = [
  {
    id: 'bandwidth-plugin',
    title: 'bandwidth',
    annotations: bothWays('kubernetes.io', '-bandwidth'),
    since: null,
    heldFrom: 'v3.31.0',
    kernel: 'tcx',
    cutOffBefore: 'v3.30.0',
    source: `${of330And331}; tigera/docs#2323; projectcalico/calico#7698; projectcalico/calico#10159`,
    read,
  },
  {
    id: 'bandwidth',
    title: 'bandwidth',
    annotations: bothWays(calicos, 'Bandwidth'),
    since: 'v3.30.0',
    heldFrom: 'v3.31.0',
    kernel: 'tcx',
    cutOffBefore: null,
    source: `${of330And331}; tigera/docs#2323`,
    read,
  },
  {
    id: 'packet-rate',
    title: 'packet rate',
    annotations: bothWays(calicos, 'PacketRate'),
    since: 'v3.30.0',
    heldFrom: 'v3.31.0',
    kernel: null,
    cutOffBefore: null,
    source: of330And331,
    read,
  },
  {
    id: 'connections',
    title: 'number of connections',
    annotations: bothWays(calicos, 'MaxConnections'),
    since: 'v3.30.0',
    heldFrom: null,
    kernel: null,
    cutOffBefore: null,
    source: of330And331,
    read,
  },
];

/** `held`: enforced, possibly only with a kernel (`TrafficLimit.kernel`). `not-read`: no data plane of that release reads it, so nothing is lost. */
export type LimitSupport = 'held' | 'not-held' | 'cut-off' | 'not-read' | 'undecided';

/** How eBPF mode of a release, `v3.31.4`, treats a limit. */
export function limitSupport({ since, heldFrom, cutOffBefore }: TrafficLimit, release: string): LimitSupport {
  const has = (floor: string | null) => (floor === null ? 'yes' : releaseAtLeast(release, floor));
  if (has(since) !== 'yes') return has(since) === 'no' ? 'not-read' : 'undecided';
  if (has(cutOffBefore) !== 'yes') return has(cutOffBefore) === 'no' ? 'cut-off' : 'undecided';
  if (heldFrom === null) return 'not-held';
  const held = has(heldFrom);
  return held === 'undecided' ? held : held === 'yes' ? 'held' : 'not-held';
}
