import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { journalRef } from '#lib/run/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { holdNode, letNodeGo } from './testing/hold-node.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, startSignalbox } from './testing/signalbox-process.ts';

/** Somebody deletes the namespace of journals while a run is under way, and its journal again once it has ended. */
let cluster: CalicoCluster;

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 2 });
});

afterAll(async () => {
  await cluster?.stop();
});

test('the run restores its journal and goes on; what was deleted after its end is told and undone from the copy', async () => {
  const { workplace, kube, plane } = cluster;
  const before = await contentsOf(kube);
  await holdNode(plane, 'worker-1');
  const apply = startSignalbox(workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
  const { run } = await apply.event(
    'something is awaited',
    ({ event, data }) => event === 'operation' && data.state === 'waiting',
  );
  const namespace = { resource: resources.namespaces, name: names.journalNamespace };
  const deleted = (await kube.get(namespace))?.metadata.uid;
  await kube.delete(namespace);
  await apply.event('the loss is told', ({ event, data }) => event === 'problem' && data.code === 'journal.gone');
  await eventually(
    'the journal to be there again',
    async () => (await kube.get(journalRef(run, namespace.name))) !== null,
  );
  expect((await kube.get(namespace))?.metadata.uid).not.toBe(deleted);
  await letNodeGo(plane, 'worker-1');
  expect(await apply.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });

  await kube.delete(journalRef(run, namespace.name));
  expect((await mustSignalbox(workplace, ['report', run])).out).toContain('Turn kube-proxy off');
  await mustSignalbox(workplace, ['undo', run, '--yes']);
  await eventually('Calico to stand still', () => isSettled(plane));
  await comesBackTo(before, () => contentsOf(kube));
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});
