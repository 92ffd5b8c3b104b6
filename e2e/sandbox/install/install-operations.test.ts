import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { continueRun, previewPlan, startRun } from '#lib/run/index.ts';
import { type InstallStage, openInstallStage, sandboxManifests } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

let stage: InstallStage;
afterEach(() => stage.close());

/** The operations that write; each is tested with all operations before it. */
const writing = [
  'namespace',
  'endpoint.configmap',
  'crds',
  'operator.apply',
  'felix.options',
  'felix.cleanup-flag',
  'custom-resources',
  'proxy.disable.daemonset',
  'felix.cleanup-restore',
  'proxy.forget-kubeadm',
];

const answers = { dsr: true, forgetKubeadmProxy: true };

/** The plan up to this operation, without guards, because a second run would refuse the changes of the first. */
function upTo(plan: Plan, id: string): Plan {
  const end = plan.operations.findIndex((operation) => operation.id === id);
  const operations = plan.operations.slice(0, end + 1).map((operation) => ({ ...operation, reads: [] }));
  const shortened = { ...plan, operations };
  return { ...shortened, hash: planHash(shortened) };
}

beforeAll(async () => {
  stage = await openInstallStage({ nodes: 1 });
  const { plan } = await stage.prepare(answers);
  const writes = plan.operations.filter(({ status, targets }) => status === 'needed' && targets.length > 0);
  expect([...new Set(writes.map(({ id }) => id))].filter((id) => !writing.includes(id))).toEqual([]);
  await stage.close();
});

test.each(writing)('%s: dry run, act, act again, undo, undo again', async (id) => {
  stage = await openInstallStage({ nodes: 1 });
  const empty = await stage.contents();
  const plan = upTo((await stage.prepare(answers)).plan, id);
  await previewPlan(stage.ours, plan, new AbortController().signal, sandboxManifests);
  expectSameCluster(empty, await stage.contents());

  const first = startedRun(await startRun(stage.installer(), plan));
  expect(first.outcome).toEqual({ kind: 'done' });
  await stage.pass(60);
  const once = await stage.contents();
  expect(() => expectSameCluster(empty, once)).toThrow();
  const second = startedRun(await startRun(stage.installer(), plan));
  expect(second.outcome).toEqual({ kind: 'done' });
  await stage.pass(60);
  expectSameCluster(once, await stage.contents());

  // FelixConfiguration cannot be written any more once its kind is deleted.
  const isLast = id === 'felix.cleanup-restore' || id === 'proxy.forget-kubeadm';
  for (const { run } of isLast ? [second] : [second, first]) {
    const undone = startedRun(await continueRun(stage.installer(), run, { how: 'undo' }));
    expect(undone.outcome).toEqual({ kind: 'undone' });
    await stage.pass(60);
    const config = empty.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'kube-proxy');
    const after = (await stage.contents()).map((object) =>
      object.kind === 'ConfigMap' && object.metadata.name === 'kube-proxy' ? (config ?? object) : object,
    );
    expectSameCluster(empty, after);
  }
});
