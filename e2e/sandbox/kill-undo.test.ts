import { beforeAll, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { carryOn, carryUntil, deathsIn, departures, type Story, storyOf } from './killed.ts';
import type { Death, Mortal } from './mortal.ts';
import { openStage, type Stage } from './stage.ts';

const nodes = 1;
let plan: Plan;
let before: KubeObject[];
let undisturbed: Story;
let calls: Mortal['calls'];

beforeAll(async () => {
  const stage = await openStage({ nodes });
  before = await stage.contents();
  plan = await stage.plan();
  await enabled(stage);
  calls = (await carryUntil(stage, plan, 'undo', null)).calls;
  const { journal } = await carryOn(stage, plan, 'undo');
  undisturbed = await storyOf(stage, journal, 60);
  await stage.close();
}, 60_000);

async function enabled(stage: Stage): Promise<void> {
  await carryOn(stage, plan, 'enable');
  await stage.pass(10);
}

test('an undo that is not disturbed brings every object back', () => {
  expect(undisturbed.state).toBe('undone');
  expectSameCluster(before, undisturbed.contents);
});

test('killed at any call of undo, the next process carries on: nothing is done twice, everything is back', async () => {
  const broken: string[] = [];
  for (const death of deathsIn(calls, 8)) {
    const stage = await openStage({ nodes });
    await enabled(stage);
    await carryUntil(stage, plan, 'undo', death);
    const { journal } = await carryOn(stage, plan, 'undo');
    const wrong = departures(await storyOf(stage, journal, 60), undisturbed);
    if (wrong.length > 0) broken.push(`${words(death)}: ${wrong.join('; ')}`);
    await stage.close();
  }
  expect(broken).toEqual([]);
}, 180_000);

const words = ({ call, moment }: Death) => `${moment} call ${call} (${calls[call - 1]?.method})`;
