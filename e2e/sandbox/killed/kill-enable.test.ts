import { beforeAll, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import type { KillableCluster, KillPoint } from '../testing/killable-cluster.ts';
import { carryOn, carryUntil, deathsIn, departures, type RunTrace, storyOf } from '../testing/killed.ts';
import { openStage } from '../testing/stage.ts';

const nodes = 1;
let plan: Plan;
let before: KubeObject[];
let undisturbed: RunTrace;
let calls: KillableCluster['calls'];

beforeAll(async () => {
  const stage = await openStage({ nodes });
  before = await stage.contents();
  plan = await stage.plan();
  calls = (await carryUntil(stage, plan, 'enable', null)).calls;
  const { journal } = await carryOn(stage, plan, 'enable');
  undisturbed = await storyOf(stage, journal);
  await stage.close();
});

/** Runs processes one after the other, each with one of these deaths. Returns a sentence about the first fault; null if there is none. */
async function afterDeaths(deaths: readonly KillPoint[], then: 'look' | 'undo'): Promise<string | null> {
  const stage = await openStage({ nodes });
  try {
    for (const death of deaths) await carryUntil(stage, plan, 'enable', death);
    const story = await storyOf(stage, (await carryOn(stage, plan, 'enable')).journal);
    const wrong = departures(story, undisturbed);
    if (then === 'undo') {
      const { journal } = await carryOn(stage, plan, 'undo');
      if (journal.state.kind !== 'undone') wrong.push(`its undo ended ${JSON.stringify(journal.state)}`);
      await stage.pass(120);
      expectSameCluster(before, await stage.contents());
    }
    return wrong.length === 0 ? null : wrong.join('; ');
  } catch (error) {
    return String(error);
  } finally {
    await stage.close();
  }
}

const words = ({ call, moment }: KillPoint) => `${moment} call ${call} (${calls[call - 1]?.method})`;

test('a run that is not disturbed writes each object once', () => {
  const objects = undisturbed.changes.map((change) => change.split(' {')[0]);
  expect(objects).toEqual([
    'added tigera-operator/ConfigMap/kubernetes-services-endpoint',
    'modified tigera-operator/Deployment/tigera-operator',
    'modified FelixConfiguration/default',
    'modified Installation/default',
    'modified kube-system/DaemonSet/kube-proxy',
    'modified FelixConfiguration/default',
  ]);
});

/** Each part has the time limit of a test, which all of them together exceed on a machine that is busy with other suites. */
const parts = 4;

test.each(Array.from({ length: parts }, (_, at) => ({ part: at + 1 })))(
  `killed at any call of enable ($part of ${parts}), the next process carries on: nothing is done twice, nothing is lost`,
  async ({ part }) => {
    const broken: string[] = [];
    for (const death of deathsIn(calls, 10).filter((_, at) => at % parts === part - 1)) {
      const wrong = await afterDeaths([death], 'look');
      if (wrong) broken.push(`${words(death)}: ${wrong}`);
    }
    expect(broken).toEqual([]);
  },
);

test('killed around any act of enable and carried on, its undo is still exact', async () => {
  const acts = /^(apply configmaps|patch (Installation|FelixConfiguration|DaemonSet|Deployment))/;
  const deaths = deathsIn(calls, calls.length + 1).filter(({ call }) => acts.test(calls[call - 1]?.method ?? ''));
  expect(deaths.length).toBeGreaterThanOrEqual(12);
  const broken: string[] = [];
  for (const death of deaths) {
    const wrong = await afterDeaths([death], 'undo');
    if (wrong) broken.push(`${words(death)}: ${wrong}`);
  }
  expect(broken).toEqual([]);
});
