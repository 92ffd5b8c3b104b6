import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** A run that is stopped half-way leaves the cleanup flag false. The next plan must recognise that Signalbox set it, not the user. */
let stage: Stage;
afterEach(() => stage.close());

const felix = { resource: resources.felixConfigurations, name: names.felixConfiguration };
const flag = async () => {
  const spec = (await stage.store.get(felix))?.spec as { bpfKubeProxyIptablesCleanupEnabled?: boolean };
  return spec.bpfKubeProxyIptablesCleanupEnabled;
};

async function stopAfterTheFlag(): Promise<void> {
  const process = stage.process();
  process.onEvent = (event) => {
    if (event.event === 'operation' && event.data.id === 'felix.cleanup-flag' && event.data.state === 'finished')
      process.control.ask('stop');
  };
  expect(startedRun(await startRun(process, await stage.plan())).outcome).toMatchObject({ kind: 'stopped' });
  expect(await flag()).toBe(false);
}

test.each([
  ['unset', undefined],
  ['true', true],
])('the next run sets back what was before the abandoned one: %s', async (_words, earlier) => {
  stage = await openStage({ nodes: 2, objects: withFlag(earlier) });
  await stopAfterTheFlag();
  expect(startedRun(await startRun(stage.process(), await stage.plan())).outcome).toEqual({ kind: 'done' });
  expect(await flag()).toBe(earlier);
});

test('the undo of the next run brings the cluster back to what the administrator had', async () => {
  stage = await openStage({ nodes: 2 });
  const before = await stage.store.get(felix);
  await stopAfterTheFlag();
  await stopAfterTheFlag();
  const { run } = startedRun(await startRun(stage.process(), await stage.plan()));
  await stage.pass(30);
  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  await stage.pass(120);
  const after = await stage.store.get(felix);
  expectSameCluster([before as KubeObject], [after as KubeObject]);
  expect(await flag()).toBeUndefined();
});

test('an administrator who sets it again afterwards keeps it', async () => {
  stage = await openStage({ nodes: 2 });
  await stopAfterTheFlag();
  await stage.pass(60);
  for (const value of [true, false])
    await stage.store.patch(
      felix,
      { type: 'merge', body: { spec: { bpfKubeProxyIptablesCleanupEnabled: value } } },
      { fieldManager: 'kubectl-edit' },
    );
  expect(startedRun(await startRun(stage.process(), await stage.plan())).outcome).toEqual({ kind: 'done' });
  expect(await flag()).toBe(false);
});

function withFlag(value: boolean | undefined) {
  return (objects: KubeObject[]): KubeObject[] =>
    objects.map((object) =>
      object.kind === 'FelixConfiguration' && value !== undefined
        ? { ...object, spec: { ...(object.spec as object), bpfKubeProxyIptablesCleanupEnabled: value } }
        : object,
    );
}
