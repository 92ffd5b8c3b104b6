import { beforeAll, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { readRun } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { KillableCluster, KillPoint } from '../testing/killable-cluster.ts';
import { carryOn, carryUntil, deathsIn, departures, type RunTrace, storyOf } from '../testing/killed.ts';
import { openStage, type Stage } from '../testing/stage.ts';

const nodes = 1;
let plan: Plan;
/** The cluster after `enable`. Every case starts from these objects, with an operator and nodes that have just started. */
let enabled: KubeObject[];
let remembered: Awaited<ReturnType<typeof readRun>>;
let before: KubeObject[];
let undisturbed: RunTrace;
let calls: KillableCluster['calls'];

beforeAll(async () => {
  const first = await openStage({ nodes });
  before = await first.contents();
  plan = await first.plan();
  const { run } = await carryOn(first, plan, 'enable');
  remembered = await readRun(first.ours, journalNamespaces, run);
  await first.pass(10);
  // Each store has its own resourceVersions.
  enabled = first
    .objects()
    .map(({ metadata: { resourceVersion: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
  await first.close();

  const stage = await openEnabled();
  calls = (await carryUntil(stage, plan, 'undo', null)).calls;
  const { journal } = await carryOn(stage, plan, 'undo');
  undisturbed = await storyOf(stage, journal, 60);
  await stage.close();
});

async function openEnabled(): Promise<Stage> {
  const stage = await openStage({ objects: () => enabled });
  await stage.pass(300);
  // The state folder is also from that time, so that it has no memory of earlier deaths.
  await stage.process().memory.keep(remembered);
  return stage;
}

test('an undo that is not disturbed brings every object back', () => {
  expect(undisturbed.state).toBe('undone');
  expectSameCluster(before, undisturbed.contents);
});

test('killed at any call of undo, the next process carries on: nothing is done twice, everything is back', async () => {
  const broken: string[] = [];
  for (const death of deathsIn(calls, 12)) {
    const stage = await openEnabled();
    await carryUntil(stage, plan, 'undo', death);
    const { journal } = await carryOn(stage, plan, 'undo');
    const wrong = departures(await storyOf(stage, journal, 60), undisturbed);
    if (wrong.length > 0) broken.push(`${words(death)}: ${wrong.join('; ')}`);
    await stage.close();
  }
  expect(broken).toEqual([]);
});

const words = ({ call, moment }: KillPoint) => `${moment} call ${call} (${calls[call - 1]?.method})`;
