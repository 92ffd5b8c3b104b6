import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { parsePlan } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { type ObjectRef, type PolicyChoice, resources } from '#lib/spec/index.ts';
import { carried } from './testing/carried.ts';
import { openStage, type Stage } from './testing/stage.ts';

/** A policy that was suggested from flows, made by a plan and taken back. */
let stage: Stage;
afterEach(() => stage.close());

const policy = (kind: PolicyChoice['kind']): PolicyChoice => ({
  apiVersion: 'projectcalico.org/v3',
  kind,
  metadata: { name: 'web-seen', namespace: 'default' },
  spec: { tier: 'default', selector: "app == 'web'", types: ['Ingress'], ingress: [{ action: 'Allow' }] },
});
/** Nobody serves Calico's own API here: it is made where that keeps it. */
const staged: ObjectRef = { resource: resources.stagedNetworkPolicies, namespace: 'default', name: 'default.web-seen' };
const enforced: ObjectRef = { ...staged, resource: resources.calicoNetworkPolicies };

test.each([
  ['StagedNetworkPolicy', 'policy.stage', staged, 'none'],
  ['NetworkPolicy', 'policy.enforce', enforced, 'traffic'],
] as const)(
  'a %s is made by a plan of one operation, and its way back leaves everything as it was',
  async (kind, id, target, effect) => {
    stage = await openStage({ nodes: 2 });
    const before = await stage.contents();
    const plan = await stage.plan({ goal: 'policy', policy: policy(kind) });
    expect(plan.operations.map((one) => [one.id, one.effect])).toEqual([
      ['snapshot', 'none'],
      [id, effect],
    ]);
    expect(plan.operations[1]).toMatchObject({ reversible: true, undo: { act: { kind: 'delete', target } } });
    expect(plan.operations[1]?.diff).toContain("+  selector: app == 'web'");
    expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));
    // A plan may make what was chosen, and nothing else.
    const forged = JSON.parse(JSON.stringify(plan).replaceAll("app == 'web'", 'all()'));
    forged.choices = plan.choices;
    expect(() => parsePlan(forged)).toThrow();

    const { run, outcome } = carried(await startRun(stage.process(), plan));
    expect(outcome).toEqual({ kind: 'done' });
    expect(await stage.store.get(target)).toMatchObject({ spec: policy(kind).spec });
    expect(carried(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
    expect(await stage.store.get(target)).toBeNull();
    expectSameCluster(before, await stage.contents());
  },
);

test('a policy of that name that somebody made meanwhile is neither changed nor taken away', async () => {
  stage = await openStage({ nodes: 2 });
  const plan = await stage.plan({ goal: 'policy', policy: policy('StagedNetworkPolicy') });
  const own = {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'StagedNetworkPolicy',
    metadata: { name: staged.name, namespace: 'default' },
    spec: { selector: 'all()' },
  };
  await stage.store.create(staged.resource, own);
  const { run, outcome } = carried(await startRun(stage.process(), plan));
  expect(outcome).toMatchObject({ kind: 'paused' });
  expect(carried(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  expect(await stage.store.get(staged)).toMatchObject({ spec: own.spec });
});

test('the goal needs a policy', async () => {
  stage = await openStage({ nodes: 2 });
  await expect(stage.plan({ goal: 'policy' })).rejects.toThrow('policy: the goal policy makes one; give it');
});
