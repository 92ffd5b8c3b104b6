import { afterEach, expect, test } from 'vitest';
import { readRun, startRun } from '#lib/run/index.ts';
import { journalNamespaces, names } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
afterEach(() => stage.close());

test('an operator that has not reacted to the ConfigMap after 60 s is restarted, once, and the plan says so', async () => {
  stage = await openStage({ nodes: 2, operator: 'none' });
  const plan = await stage.plan();
  expect(plan.operations.find(({ id }) => id === 'endpoint.active')?.nudge).toMatchObject({ afterSeconds: 60 });

  const process = stage.process();
  const ended = startRun(process, plan);
  const restarted = () =>
    stage.log.changes.filter(({ object }) => object.endsWith(`Deployment/${names.operatorDeployment}`));
  await stage.pass(55);
  expect(restarted()).toEqual([]);
  await stage.until('the restart', () => restarted().length > 0, 30);
  stage.startOperator();
  const { run, outcome } = startedRun(await ended);
  expect(outcome).toEqual({ kind: 'done' });
  const { journal } = await readRun(stage.ours, journalNamespaces, run);
  expect(journal.entries.filter(({ what }) => what === 'nudged')).toHaveLength(1);
});
