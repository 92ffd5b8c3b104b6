import { afterEach, expect, test } from 'vitest';
import { enableAnswers, planEnable } from '#e2e/journey/index.ts';
import type { AccessRule, Kube } from '#lib/kube/index.ts';
import { rulesFor } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { goodEndpoint, openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
afterEach(() => stage.close());

/** The rules that `signalbox rbac --goal enable` prints, one verb per rule, in the store's form. */
const granted: AccessRule[] = rulesFor('enable').map(({ verb, group, resource, subresource, namespace, name }) => ({
  verbs: [verb],
  groups: [group],
  resources: [subresource ? `${resource}/${subresource}` : resource],
  ...(namespace ? { namespaces: [namespace] } : {}),
  ...(name ? { names: [name] } : {}),
}));

/** The cluster for a user with these rules, which may change during a run. */
function asUser(rules: AccessRule[]): Kube {
  return stage.store.as({ name: 'signalbox', rules });
}

const permissions = async (kube: Kube) => {
  const { findings } = await planEnable(kube, stage.clock, enableAnswers(goodEndpoint));
  return findings.findings.find(({ id }) => id === 'permissions.plan');
};

const withoutVerb = (verb: string, group: string, resource: string): AccessRule[] =>
  granted.filter(
    (rule) => !(rule.verbs.includes(verb) && rule.groups.includes(group) && rule.resources.includes(resource)),
  );

test('the rules that signalbox rbac prints are enough for a whole enable and its undo', async () => {
  stage = await openStage({ nodes: 2 });
  const kube = asUser(granted);
  expect(await permissions(kube)).toMatchObject({ status: 'pass' });
  const { run, outcome } = startedRun(await startRun(stage.process({ kube }), await stage.plan()));
  expect(outcome).toEqual({ kind: 'done' });
  await stage.pass(30);
  const undone = await continueRun(stage.process({ kube }), run, { how: 'undo' });
  expect(startedRun(undone).outcome).toEqual({ kind: 'undone' });
});

test.each([
  ['patch', 'operator.tigera.io', 'installations'],
  ['patch', 'apps', 'daemonsets'],
  ['create', '', 'configmaps'],
  ['get', '', 'pods/log'],
])('without %s on %s/%s the finding names exactly that', async (verb, group, resource) => {
  stage = await openStage({ nodes: 2 });
  const finding = await permissions(asUser(withoutVerb(verb, group, resource)));
  expect(finding?.status).toBe('fail');
  const missing = finding?.subjects.map(({ name, detail }) => `${name} ${detail}`) ?? [];
  expect(missing.length).toBeGreaterThanOrEqual(1);
  for (const line of missing) {
    expect(line).toContain(verb);
    expect(line).toContain(resource);
  }
});

/** Calls `act` once eBPF has been switched on. */
function afterTheSwitch(process: ReturnType<Stage['process']>, act: () => void): void {
  process.onEvent = (event) => {
    process.events.push(event);
    if (event.event === 'operation' && event.data.id === 'bpf.active' && event.data.state === 'acted') act();
  };
}

test('a right that is lost half-way pauses the run at that act with the rule, and it goes on when it is back', async () => {
  stage = await openStage({ nodes: 2 });
  const plan = await stage.plan();
  const rules = [...granted];
  const kube = asUser(rules);
  const process = stage.process({ kube });
  afterTheSwitch(process, () => rules.splice(0, rules.length, ...withoutVerb('patch', 'apps', 'daemonsets')));
  const { run, outcome } = startedRun(await startRun(process, plan));
  expect(outcome).toMatchObject({
    kind: 'paused',
    code: 'act.forbidden',
    because: expect.stringMatching(
      /cannot patch resource "daemonsets" in API group "apps" in the namespace "kube-system"/,
    ),
    choices: ['resume', 'undo', 'stop'],
  });
  expect(stage.log.changes.some(({ object }) => object.includes('kube-proxy'))).toBe(false);
  rules.splice(0, rules.length, ...granted);
  const resumed = await continueRun(stage.process({ kube }), run, { how: 'resume' });
  expect(startedRun(resumed).outcome).toEqual({ kind: 'done' });
});

test('a right to read that is lost in a wait pauses the run with the rule', async () => {
  stage = await openStage({ nodes: 2 });
  const rules = [...granted];
  const process = stage.process({ kube: asUser(rules) });
  afterTheSwitch(process, () => rules.splice(0, rules.length, ...withoutVerb('get', 'apps', 'daemonsets')));
  const { outcome } = startedRun(await startRun(process, await stage.plan()));
  expect(outcome).toMatchObject({
    kind: 'paused',
    because: expect.stringMatching(/cannot get resource "daemonsets"/),
  });
});

test('a Lease that may not be renewed any more pauses the run and says so, instead of waiting for ever', async () => {
  stage = await openStage({ nodes: 2 });
  const rules = [...granted];
  const kube = asUser(rules);
  const process = stage.process({ kube });
  afterTheSwitch(process, () =>
    rules.splice(0, rules.length, ...withoutVerb('patch', 'coordination.k8s.io', 'leases')),
  );
  const plan = await stage.plan();
  for (const node of await stage.nodeNames()) await stage.hold(node);
  const began = stage.clock.now();
  const ended = startRun(process, plan);
  for (const node of await stage.nodeNames()) await stage.release(node);
  const { run, outcome } = startedRun(await ended);
  expect(outcome).toMatchObject({
    kind: 'paused',
    code: 'lease.forbidden',
    because: expect.stringMatching(/cannot be renewed.*cannot patch resource "leases"/),
    choices: ['resume', 'undo', 'stop'],
  });
  expect((stage.clock.now() - began) / 1000).toBeLessThan(120);
  expect(process.events).toContainEqual(
    expect.objectContaining({ event: 'problem', data: expect.objectContaining({ code: 'lease.forbidden' }) }),
  );
  rules.splice(0, rules.length, ...granted);
  expect(startedRun(await continueRun(stage.process({ kube }), run, { how: 'resume' })).outcome).toEqual({
    kind: 'done',
  });
});

test('a journal that may not be written any more ends the command with what is missing, and the run is kept', async () => {
  stage = await openStage({ nodes: 2 });
  const rules = [...granted];
  const kube = asUser(rules);
  const process = stage.process({ kube });
  afterTheSwitch(process, () => rules.splice(0, rules.length, ...withoutVerb('patch', '', 'configmaps')));
  const { run, outcome } = startedRun(await startRun(process, await stage.plan()));
  expect(outcome).toMatchObject({ kind: 'paused', code: 'journal.forbidden', choices: ['resume'], operation: null });
  rules.splice(0, rules.length, ...granted);
  expect(startedRun(await continueRun(stage.process({ kube }), run, { how: 'resume' })).outcome).toEqual({
    kind: 'done',
  });
});

test('without any right a check still ends with findings: what is unknown names the rule that would tell it', async () => {
  stage = await openStage({ nodes: 2 });
  const { findings, plan } = await planEnable(asUser([]), stage.clock, enableAnswers(goodEndpoint));
  expect(plan.operations).toEqual([]);
  expect(findings.verdict).toBe('blocked');
  const byId = new Map(findings.findings.map((finding) => [finding.id, finding]));
  expect(byId.get('permissions.plan')).toMatchObject({ status: 'fail' });
  expect(byId.get('node.kernel')).toMatchObject({
    status: 'unknown',
    because: expect.stringContaining('the missing rule is list nodes'),
    remedy: {
      steps: expect.arrayContaining([expect.stringMatching(/^Ask an administrator to grant you .*list nodes/)]),
      command: expect.stringContaining('kind: ClusterRole'),
    },
  });
  // Only the checks that depend on the answer alone: address and port.
  const passed = findings.findings.filter(({ status }) => status === 'pass');
  expect(passed.map(({ id }) => id)).toEqual([
    'endpoint.present',
    'endpoint.not-local',
    'endpoint.form',
    'endpoint.resolvable',
    'operator.dns-deadlock',
  ]);
});
