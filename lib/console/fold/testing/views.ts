import type { NodeLine } from '#lib/status/index.ts';
import type { ClusterView, RunLine, RunNode, RunNow, RunView } from '../../wire.ts';

/** A run of two operations with the first under way, before any other event. */
export function aRunView(differs: Partial<RunView> = {}): RunView {
  return {
    revision: 100,
    turnedAt: 100,
    isForeign: false,
    run: '20260101-0000-3f9c',
    cluster: 'prod',
    goal: 'enable',
    role: 'holder',
    state: { kind: 'running', direction: 'forward' },
    startedAt: '2026-01-01T00:00:00.000Z',
    operations: [
      aLine({ seq: 1, id: 'bpf.active', title: 'Wait until eBPF is proven on all 14 nodes', state: 'begun' }),
      aLine({ seq: 2, id: 'proxy.disable.daemonset', title: 'Turn kube-proxy off' }),
    ],
    now: null,
    nodes: [],
    log: [],
    problem: null,
    services: null,
    stale: null,
    ...differs,
  };
}

export function aLine(differs: Partial<RunLine> = {}): RunLine {
  const line: RunLine = {
    seq: 1,
    id: 'an.operation',
    title: 'An operation',
    effect: 'traffic',
    state: 'ahead',
    begunAt: null,
    finishedAt: null,
    note: null,
    outcome: null,
  };
  return { ...line, ...differs };
}

export function aNow(differs: Partial<RunNow> = {}): RunNow {
  return {
    direction: 'forward',
    seq: 1,
    id: 'bpf.active',
    title: 'Wait until eBPF is proven on all 14 nodes',
    state: 'waiting',
    awaiting: 'every node to be on eBPF: 13 of 14 are proven',
    heldUpBy: [],
    usualSeconds: 60,
    deadlineAt: null,
    note: null,
    outcome: null,
    since: '2026-01-01T00:00:00.000Z',
    ...differs,
  };
}

export function aRunNode(name: string, differs: Partial<RunNode> = {}): RunNode {
  return {
    name,
    state: 'proven',
    dataplane: 'bpf',
    detail: 'its agent says that eBPF is on',
    evidence: [],
    since: '2026-01-01T00:00:00.000Z',
    movingSince: null,
    tookSeconds: null,
    ...differs,
  };
}

export function aClusterView(nodes: NodeLine[], differs: Partial<ClusterView> = {}): ClusterView {
  return {
    revision: 100,
    cluster: 'prod',
    observedAt: '2026-01-01T00:00:00.000Z',
    kubernetes: 'v1.34.2',
    status: {
      apiVersion: 'signalbox.dev/v1',
      kind: 'Status',
      cluster: 'prod',
      observedAt: '2026-01-01T00:00:00.000Z',
      installation: { dataplane: 'Iptables', generation: 1, version: 'v3.31.4' },
      felix: { bpfEnabled: false, ownedByOperator: true },
      agents: null,
      proxy: { desired: nodes.length, ready: nodes.length },
      components: [],
      unknown: [],
    },
    nodes,
    run: null,
    stale: null,
    ...differs,
  };
}

export function aNodeLine(
  name: string,
  plane: NodeLine['plane'] = 'standard',
  because = 'its agent started without eBPF',
): NodeLine {
  return { name, plane, ready: true, because };
}
