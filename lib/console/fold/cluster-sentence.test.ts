import { expect, test } from 'vitest';
import type { ClusterView } from '../wire.ts';
import { clusterSentence } from './cluster-sentence.ts';
import { aClusterView, aNodeLine } from './testing/views.ts';

const nodes = (count: number, plane: ClusterView['nodes'][number]['plane'], because = 'because') =>
  Array.from({ length: count }, (_, index) => aNodeLine(`${plane}-${index + 1}`, plane, because));
const proxyOff = { ...aClusterView([]).status, proxy: { desired: 0, ready: 0 } };

test.each<{ what: string; view: ClusterView; lead: string; rest: string }>([
  {
    what: 'a healthy standard cluster',
    view: aClusterView(nodes(14, 'standard')),
    lead: 'All 14 nodes are on the standard data plane.',
    rest: 'kube-proxy runs on 14 nodes.',
  },
  {
    what: 'one that was switched',
    view: aClusterView(nodes(1, 'bpf'), { status: proxyOff }),
    lead: 'The node is on eBPF.',
    rest: 'kube-proxy is off.',
  },
  {
    what: 'a node that fell back, without a service proxy: the worst there is',
    view: aClusterView(
      [...nodes(3, 'bpf'), ...nodes(1, 'fell-back', 'its agent says that kernel 4.15 cannot run eBPF')],
      {
        status: proxyOff,
      },
    ),
    lead: 'fell-back-1 fell back to the standard data plane.',
    rest: 'Its agent says that kernel 4.15 cannot run eBPF. kube-proxy is off, so Services do not work there.',
  },
  {
    what: 'nothing serves Services: told before all that is fine',
    view: aClusterView(nodes(6, 'standard'), { status: proxyOff }),
    lead: 'kube-proxy is off, and none of 6 nodes is on eBPF.',
    rest: 'Nothing was found that serves Services there.',
  },
  {
    what: 'nodes that this account may not list: not a cluster without any',
    view: aClusterView([], {
      status: { ...aClusterView([]).status, unknown: [{ kind: 'Node', because: 'forbidden' }] },
    }),
    lead: 'The nodes could not be read.',
    rest: 'Their data plane is not known.',
  },
  {
    what: 'kube-proxy that is not ready on nodes that may not be listed: what is known comes first',
    view: aClusterView([], {
      status: {
        ...aClusterView([]).status,
        proxy: { desired: 6, ready: 4 },
        unknown: [{ kind: 'Node', because: 'forbidden' }],
      },
    }),
    lead: 'kube-proxy is ready on 4 of 6 nodes.',
    rest: 'The nodes could not be read: their data plane is not known.',
  },
  {
    what: 'nothing serves Services on one node',
    view: aClusterView([...nodes(5, 'bpf'), ...nodes(1, 'standard')], { status: proxyOff }),
    lead: 'kube-proxy is off, and standard-1 is not on eBPF.',
    rest: 'Nothing was found that serves Services there.',
  },
  {
    what: 'kube-proxy that is not ready everywhere: told before all that is fine',
    view: aClusterView(nodes(6, 'standard'), {
      status: { ...aClusterView([]).status, proxy: { desired: 6, ready: 4 } },
    }),
    lead: 'kube-proxy is ready on 4 of 6 nodes.',
    rest: 'No node is on eBPF.',
  },
  {
    what: 'a rollout of the agents that stands still',
    view: aClusterView(nodes(6, 'bpf'), {
      status: { ...proxyOff, agents: { desired: 6, updated: 2, available: 5 } },
    }),
    lead: 'Calico’s agent is ready on 5 of 6 nodes.',
    rest: '6 of 6 nodes are on eBPF.',
  },
  {
    what: 'one that leaves its node unknown: told before what is not known',
    view: aClusterView([...nodes(5, 'standard'), ...nodes(1, 'unknown', 'its agent runs and is not ready')], {
      status: {
        ...aClusterView([]).status,
        proxy: { desired: 6, ready: 6 },
        agents: { desired: 6, updated: 4, available: 5 },
      },
    }),
    lead: 'Calico’s agent is ready on 5 of 6 nodes.',
    rest: 'unknown-1: its agent runs and is not ready.',
  },
  {
    what: 'what is not known is not counted as fine',
    view: aClusterView([...nodes(9, 'bpf'), ...nodes(5, 'unknown', 'its agent’s log has not been read yet')]),
    lead: 'Data plane of 5 of 14 nodes: not verified.',
    rest: 'Its agent’s log has not been read yet.',
  },
  {
    what: 'a cluster without Calico: that is known',
    view: aClusterView(nodes(6, 'unknown', 'its agent pod does not exist'), {
      status: { ...aClusterView([]).status, agents: null, installation: null },
    }),
    lead: 'No agent of Calico was found on any node.',
    rest: 'There is no Installation of the operator.',
  },
  {
    what: 'a cluster that is away',
    view: aClusterView(nodes(2, 'bpf'), { stale: { since: '2026-01-01T00:00:00.000Z', message: 'refused' } }),
    lead: 'The API server does not answer.',
    rest: 'This page shows what was last read.',
  },
  {
    what: 'half of each',
    view: aClusterView([...nodes(9, 'bpf'), ...nodes(5, 'standard')]),
    lead: '9 of 14 nodes are on eBPF, 5 on the standard data plane.',
    rest: 'kube-proxy runs on 14 nodes.',
  },
  {
    what: 'Windows and virtual nodes are not counted',
    view: aClusterView([...nodes(2, 'bpf'), ...nodes(3, 'not-counted')], { status: proxyOff }),
    lead: 'All 2 nodes are on eBPF.',
    rest: 'kube-proxy is off.',
  },
])('$what', ({ view, lead, rest }) => {
  expect(clusterSentence(view, 0)).toEqual({ lead, rest });
});
