import { afterEach, expect, test } from 'vitest';
import { KubeError, type KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { continueRun, listRuns, startRun } from '#lib/run/index.ts';
import { journalNamespaces, names, type ObjectRef, type PolicyChoice, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from '../testing/stage.ts';
import { startedRun } from '../testing/started-run.ts';
import { withGuard } from '../testing/with-guard.ts';

/** Kills a run that creates a policy between its steps. A policy of the same name that another user created is neither taken over nor deleted. */
let stage: Stage;
afterEach(() => stage.close());

const policy: PolicyChoice = {
  apiVersion: 'projectcalico.org/v3',
  kind: 'StagedNetworkPolicy',
  metadata: { name: 'web-seen', namespace: 'default' },
  spec: { tier: 'default', selector: "app == 'web'", types: ['Ingress'], ingress: [{ action: 'Allow' }] },
};
const target: ObjectRef = { resource: resources.stagedNetworkPolicies, namespace: 'default', name: 'default.web-seen' };

const strangers = {
  'with the same spec': policy.spec,
  'with another spec': { tier: 'default', selector: 'all()', types: ['Egress'] },
} as const;

/** The moment of death: before the act reaches the cluster, after it did, or after its entry in the journal. */
type Death = 'before the act' | 'after the act' | 'once the act was journalled';

async function planned(): Promise<Plan> {
  stage = await openStage({ nodes: 1 });
  return stage.plan({ goal: 'policy', policy });
}

/** Starts a process that is killed at this moment, and returns the run that it leaves. */
async function killed(plan: Plan, death: Death): Promise<string> {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const forever = <T>() => new Promise<T>(() => undefined);
  let [hasActed, isDead] = [false, false];
  const end = <T>() => {
    isDead = true;
    die();
    return forever<T>();
  };
  const kube = withGuard(stage.ours, async (method, effect, call) => {
    if (isDead) return forever();
    const acts = /^(create|apply) stagednetworkpolicies/.test(method) && effect === 'writes';
    if (acts && death === 'before the act') return end();
    const answer = await call();
    if (acts && death === 'after the act') return end();
    if (hasActed && effect === 'writes' && !/[Ll]ease/.test(method)) return end();
    hasActed ||= acts;
    return answer;
  });
  await Promise.race([died, startRun(stage.process({ kube, to: 'die' }), plan)]);
  const [known] = await listRuns(stage.ours, journalNamespaces);
  if (known === undefined) throw new Error('no run was left');
  return known.run;
}

const found = () => stage.store.get(target);
const annotationsOf = (object: KubeObject | null) => object?.metadata.annotations ?? {};

/** Replaces the policy by another user's. `like`: the object to copy, with its labels and annotations. */
async function strangerComes(spec: Record<string, unknown>, like: KubeObject | null = null): Promise<void> {
  if ((await found()) !== null) await stage.store.delete(target);
  const annotations = annotationsOf(like);
  await stage.store.create(target.resource, {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: policy.kind,
    metadata: { name: target.name, namespace: 'default', ...(like ? { annotations } : {}) },
    spec: { ...spec },
  });
}

const resumed = async (run: string) => startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome;
const undone = async (run: string) => startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome;

const deaths: readonly Death[] = ['before the act', 'after the act', 'once the act was journalled'];

test.each(deaths)('killed %s and carried on, the run is done, and its undo takes away what it made', async (death) => {
  const run = await killed(await planned(), death);
  expect(await resumed(run)).toEqual({ kind: 'done' });
  expect(annotationsOf(await found())).toEqual({ [names.madeByAnnotation]: run });
  expect(await undone(run)).toEqual({ kind: 'undone' });
  expect(await found()).toBeNull();
});

test.each(deaths)('killed %s, its undo takes away what it made, and nothing else', async (death) => {
  const run = await killed(await planned(), death);
  expect(await undone(run)).toEqual({ kind: 'undone' });
  expect(await found()).toBeNull();
});

test.each(deaths.flatMap((death) => Object.entries(strangers).map(([which, spec]) => [death, which, spec] as const)))(
  'killed %s, and somebody made one %s: the run pauses, and its undo leaves theirs',
  async (death, _which, spec) => {
    const run = await killed(await planned(), death);
    await strangerComes(spec);
    const theirs = (await found())?.metadata.uid;
    expect(await resumed(run)).toMatchObject({
      kind: 'paused',
      operation: 'policy.stage',
      because: expect.stringContaining('default.web-seen'),
    });
    expect(await undone(run)).toEqual({ kind: 'undone' });
    expect((await found())?.metadata.uid).toBe(theirs);
  },
);

test('a copy that somebody made of it is theirs, with its mark too', async () => {
  const run = await killed(await planned(), 'once the act was journalled');
  await strangerComes(policy.spec, await found());
  const theirs = (await found())?.metadata.uid;
  expect(await resumed(run)).toMatchObject({ kind: 'paused', code: 'object.of-others' });
  expect(await undone(run)).toEqual({ kind: 'undone' });
  expect((await found())?.metadata.uid).toBe(theirs);
});

test('where the act is refused and somebody makes it instead, the run is not done, and its undo leaves it', async () => {
  const plan = await planned();
  const kube = withGuard(stage.ours, async (method, effect, call) => {
    if (/^(create|apply) stagednetworkpolicies/.test(method) && effect === 'writes')
      throw new KubeError('forbidden', 'stagednetworkpolicies is forbidden: cannot get tier');
    return call();
  });
  const { run, outcome } = startedRun(await startRun(stage.process({ kube }), plan));
  expect(outcome).toMatchObject({ kind: 'paused', code: 'act.forbidden' });
  await strangerComes(policy.spec);
  expect(await resumed(run)).toMatchObject({ kind: 'paused', code: 'object.changed' });
  expect(await undone(run)).toEqual({ kind: 'undone' });
  expect(await found()).not.toBeNull();
});

test('one that somebody makes between guard and act is not merged into: the run pauses and names it', async () => {
  const plan = await planned();
  const kube = withGuard(stage.ours, async (method, effect, call) => {
    if (/^(create|apply) stagednetworkpolicies/.test(method) && effect === 'writes')
      await strangerComes(strangers['with another spec']);
    return call();
  });
  const { run, outcome } = startedRun(await startRun(stage.process({ kube }), plan));
  expect(outcome).toMatchObject({ kind: 'paused', code: 'act.already-exists' });
  expect(outcome.kind === 'paused' && outcome.because).toContain('default.web-seen');
  expect(await found()).toMatchObject({ spec: strangers['with another spec'] });
  expect(await undone(run)).toEqual({ kind: 'undone' });
  expect(await found()).toMatchObject({ spec: strangers['with another spec'] });
});

test('one that somebody changed since it was made is theirs to delete: the undo pauses, and goes on once it is gone', async () => {
  const plan = await planned();
  const { run, outcome } = startedRun(await startRun(stage.process(), plan));
  expect(outcome).toEqual({ kind: 'done' });
  await stage.store.patch(target, { type: 'merge', body: { spec: { selector: "app == 'shop'" } } });
  expect(await undone(run)).toMatchObject({ kind: 'paused', code: 'object.changed' });
  expect(await found()).toMatchObject({ spec: { selector: "app == 'shop'" } });
  await stage.store.delete(target);
  expect(await resumed(run)).toEqual({ kind: 'undone' });
});

test('one that is changed between the look and the deletion is not deleted', async () => {
  const plan = await planned();
  const { run } = startedRun(await startRun(stage.process(), plan));
  const kube = withGuard(stage.ours, async (method, effect, call) => {
    if (/^delete StagedNetworkPolicy/.test(method) && effect === 'writes')
      await stage.store.patch(target, { type: 'merge', body: { spec: { selector: "app == 'shop'" } } });
    return call();
  });
  expect(startedRun(await continueRun(stage.process({ kube }), run, { how: 'undo' })).outcome).toMatchObject({
    kind: 'paused',
    code: 'object.changed',
  });
  expect(await found()).not.toBeNull();
});
