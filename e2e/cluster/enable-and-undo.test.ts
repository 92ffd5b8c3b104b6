import { afterAll, describe, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { RunEvent } from '#lib/run/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, startSignalbox } from './testing/signalbox-process.ts';

/** The whole journey by the real program: plan, apply, proof, undo; then the cluster is the one of before, object by object. */
const clusters: CalicoCluster[] = [];

afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster.stop()));
});

describe.concurrent('enable and undo', () => {
  test.for([
    { like: 'v3.31.4', nodes: 4 },
    { like: 'v3.30.7', nodes: 1 },
  ] as const)('with an operator like $like, nodes: $nodes', async ({ like, nodes }) => {
    const cluster = await startCalicoCluster({ like, nodes });
    clusters.push(cluster);
    const { workplace, kube, plane } = cluster;
    const before = await contentsOf(kube);

    const planned = await mustSignalbox(workplace, ['plan', ...readyAnswers(), '--out', 'plan.json']);
    expect(planned.out).toContain('Ready to apply.');
    expectSameCluster(before, await contentsOf(kube));

    const apply = startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json']);
    expect(await apply.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
    const names = before.flatMap(({ kind, metadata }) => (kind === 'Node' ? [metadata.name] : []));
    expect(proven(apply.events(), 'bpf')).toEqual(names);
    expect(await plane.api.get('/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy')).toMatchObject({
      status: { desiredNumberScheduled: 0 },
    });
    expect(await plane.api.get('/apis/crd.projectcalico.org/v1/felixconfigurations/default')).toMatchObject({
      spec: { bpfEnabled: true },
    });

    const undo = startSignalbox(workplace, ['undo', '--yes', '-o', 'json']);
    expect(await undo.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
    expect(proven(undo.events(), 'standard')).toEqual(names);
    await eventually('Calico to stand still', () => isSettled(plane));
    await comesBackTo(before, () => contentsOf(kube));
    expect(unexpectedDials(plane.egressLog())).toEqual([]);
  });
});

/** Nodes whose last word is that this data plane was seen on them. */
function proven(events: readonly RunEvent[], dataplane: 'bpf' | 'standard'): string[] {
  const last = new Map(events.flatMap((each) => (each.event === 'node' ? [[each.data.name, each.data] as const] : [])));
  return [...last.values()]
    .filter((node) => node.state === 'proven' && node.dataplane === dataplane)
    .map(({ name }) => name)
    .sort();
}
