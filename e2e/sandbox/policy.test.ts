import { afterEach, expect, test } from 'vitest';
import { enableAnswers, expectSameCluster, planEnable } from '#e2e/journey/index.ts';
import type { AccessRule, Discovery, Kube } from '#lib/kube/index.ts';
import { namespacesForRoles, parsePlan, roleSets } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { definitionOf } from '#lib/sandbox/index.ts';
import { type ObjectRef, type PolicyChoice, resources } from '#lib/spec/index.ts';
import { goodEndpoint, openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';
import { withGuard } from './testing/with-guard.ts';

/** A plan creates a policy that was suggested from flows, and its undo deletes it. */
let stage: Stage;
afterEach(() => stage.close());

const policy = (kind: PolicyChoice['kind']): PolicyChoice => ({
  apiVersion: 'projectcalico.org/v3',
  kind,
  metadata: { name: 'web-seen', namespace: 'default' },
  spec: { tier: 'default', selector: "app == 'web'", types: ['Ingress'], ingress: [{ action: 'Allow' }] },
});
/** The sandbox does not serve Calico's own API, so the policy is created in its stored form. */
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
    // The plan may create only the chosen policy.
    const forged = JSON.parse(JSON.stringify(plan).replaceAll("app == 'web'", 'all()'));
    forged.choices = plan.choices;
    expect(() => parsePlan(forged)).toThrow();

    const { run, outcome } = startedRun(await startRun(stage.process(), plan));
    expect(outcome).toEqual({ kind: 'done' });
    expect(await stage.store.get(target)).toMatchObject({ spec: policy(kind).spec });
    expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
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
  const { run, outcome } = startedRun(await startRun(stage.process(), plan));
  expect(outcome).toMatchObject({ kind: 'paused' });
  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  expect(await stage.store.get(staged)).toMatchObject({ spec: own.spec });
});

test('the goal needs a policy', async () => {
  stage = await openStage({ nodes: 2 });
  await expect(stage.plan({ goal: 'policy' })).rejects.toThrow('policy: no policy is given');
});

test('what a suggestion could not say stands in its plan, which claims no review', async () => {
  stage = await openStage({ nodes: 1 });
  const remark = 'No outgoing connections were seen: Egress stays as it is.';
  const plan = await stage.plan({ goal: 'policy', policy: policy('NetworkPolicy'), policyRemarks: [remark] });
  expect(plan.operations[1]?.why).toMatch(
    /is denied to the workload that it selects\. No outgoing connections were seen/,
  );
  expect(plan.operations[1]?.why).not.toContain('review');
});

/** A policy of another user, in its stored form. */
async function ofOthers(spec: Record<string, unknown>): Promise<void> {
  await stage.store.create(staged.resource, {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'StagedNetworkPolicy',
    metadata: { name: staged.name, namespace: 'default' },
    spec,
  });
}

const refusal = (given: Partial<PolicyChoice>) =>
  stage
    .plan({ goal: 'policy', policy: { ...policy('StagedNetworkPolicy'), ...given } })
    .then(() => null)
    .catch((error: Error) => error.message);

test('the same policy that is there already has nothing to be done, by whomever it was made', async () => {
  stage = await openStage({ nodes: 2 });
  const plan = await stage.plan({ goal: 'policy', policy: policy('StagedNetworkPolicy') });
  startedRun(await startRun(stage.process(), plan));
  const again = await stage.plan({ goal: 'policy', policy: policy('StagedNetworkPolicy') });
  expect(again.operations.map(({ id, status, diff }) => [id, status, diff])).toEqual([
    ['snapshot', 'already-done', ''],
    ['policy.stage', 'already-done', ''],
  ]);
  await stage.store.delete(staged);
  // Written by hand: without Calico's defaults, and with fields that have no effect.
  await ofOthers({ selector: "app == 'web'", ingress: [{ action: 'Allow', source: {} }], egress: [] });
  const theirs = await stage.plan({ goal: 'policy', policy: policy('StagedNetworkPolicy') });
  expect(theirs.operations.every(({ status }) => status === 'already-done')).toBe(true);
});

test('another policy of that name that is there already is named, and no plan is made', async () => {
  stage = await openStage({ nodes: 2 });
  await ofOthers({ selector: 'all()' });
  expect(await refusal({})).toMatch(
    /^policy: default\/StagedNetworkPolicy\/default\.web-seen is there already, with another spec/,
  );
});

test.each([
  [{ spec: { tier: 'security', selector: 'all()' } }, 'policy: spec.tier is "security", and only policies of the tier'],
  [{ metadata: { name: 'security.web', namespace: 'default' } }, 'policy: metadata.name "security.web" says the tier'],
  [
    { spec: { selector: "app = 'web'" } },
    'policy: spec.selector: Invalid value: "app = \'web\'": no selector of Calico',
  ],
  [
    { spec: { selector: 'all()', ingress: [{ action: 'Allow', source: { namespaceSelector: 'has(' } }] } },
    'policy: spec.ingress[0].source.namespaceSelector: Invalid value',
  ],
  [{ metadata: { name: 'web', namespace: 'not-there' } }, 'policy: there is no namespace not-there.'],
])('a policy that cannot be made here is refused: %j', async (given, because) => {
  stage = await openStage({ nodes: 1 });
  expect(await refusal(given)).toContain(because);
});

test('a release without staged policies is told from one that has them', async () => {
  stage = await openStage({ nodes: 1 });
  const kube = withGuard(stage.ours, async (method, _effect, call) => {
    const answer = await call();
    if (method !== 'discover') return answer;
    const { resources: all, ...rest } = answer as Discovery;
    return { ...rest, resources: all.filter(({ plural }) => plural !== 'stagednetworkpolicies') } as typeof answer;
  });
  const planned = (kind: PolicyChoice['kind']) =>
    planEnable(kube, stage.clock, enableAnswers(goodEndpoint, { goal: 'policy', policy: policy(kind) }));
  await expect(planned('StagedNetworkPolicy')).rejects.toThrow(
    /this cluster does not serve the kind StagedNetworkPolicy .*came with Calico v3\.30, and v3\.31\.4 runs/,
  );
  expect((await planned('NetworkPolicy')).plan.operations.map(({ id }) => id)).toEqual(['snapshot', 'policy.enforce']);
});

test('where Calico is not installed there is no plan', async () => {
  stage = await openStage({ nodes: 1, calico: 'absent', operator: 'none' });
  expect(await refusal({})).toMatch(/^policy: Calico is not installed here/);
});

/** The cluster for a user with the Roles for this policy alone, as `signalbox rbac --policy` prints them. */
async function grantedFor(chosen: PolicyChoice): Promise<Kube> {
  for (const object of namespacesForRoles('policy')) await stage.store.create(resources.namespaces, object);
  return stage.store.as({ name: 'signalbox', rules: rulesFor(chosen) });
}

const rulesFor = (chosen: PolicyChoice): AccessRule[] =>
  roleSets('policy', undefined, undefined, {}, chosen).flatMap(({ roles }) =>
    roles.flatMap(({ metadata: { namespace }, rules }) =>
      rules.map(({ verbs, apiGroups, resources: plurals, resourceNames }) => ({
        verbs,
        groups: apiGroups,
        resources: plurals,
        ...(namespace ? { namespaces: [namespace] } : {}),
        ...(resourceNames ? { names: resourceNames } : {}),
      })),
    ),
  );

test('a Role in its namespace is enough to make a policy and to take it back, and says no other kind or name', async () => {
  stage = await openStage({ nodes: 2 });
  const chosen = policy('StagedNetworkPolicy');
  const ofPolicies = rulesFor(chosen).filter(
    ({ verbs, groups }) => groups.includes(staged.resource.group) && verbs.some((verb) => !/get|list|watch/.test(verb)),
  );
  const where = { groups: [staged.resource.group], resources: [staged.resource.plural], namespaces: ['default'] };
  expect(ofPolicies).toEqual([
    { ...where, verbs: ['create'] },
    { ...where, verbs: ['delete'], names: [staged.name] },
  ]);
  const kube = await grantedFor(chosen);
  const answers = enableAnswers(goodEndpoint, { goal: 'policy', policy: chosen });
  const { plan, findings } = await planEnable(kube, stage.clock, answers);
  expect(findings.findings.find(({ id }) => id === 'permissions.plan')).toMatchObject({ status: 'pass' });
  const { run, outcome } = startedRun(await startRun(stage.process({ kube }), plan));
  expect(outcome).toEqual({ kind: 'done' });
  expect(startedRun(await continueRun(stage.process({ kube }), run, { how: 'undo' })).outcome).toEqual({
    kind: 'undone',
  });
  expect(await stage.store.get(staged)).toBeNull();
});

test('who may not make policies in that namespace is told so before the run', async () => {
  stage = await openStage({ nodes: 1 });
  const elsewhere = { ...policy('StagedNetworkPolicy'), metadata: { name: 'web-seen', namespace: 'kube-system' } };
  const kube = await grantedFor(elsewhere);
  const answers = enableAnswers(goodEndpoint, { goal: 'policy', policy: policy('StagedNetworkPolicy') });
  const { findings } = await planEnable(kube, stage.clock, answers);
  const finding = findings.findings.find(({ id }) => id === 'permissions.plan');
  expect(finding?.status).toBe('fail');
  expect(finding?.subjects.every(({ namespace }) => namespace === 'default')).toBe(true);
});

/** A sandbox in which Calico's own API stores its objects itself, so that its kinds are served. */
async function openShown(): Promise<Stage> {
  const opened = await openStage({
    nodes: 1,
    objects: (objects) => [
      ...objects.filter(({ kind }) => kind !== 'APIService'),
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v3.projectcalico.org' },
        spec: { group: 'projectcalico.org', version: 'v3' },
        status: { conditions: [{ type: 'Available', status: 'True' }] },
      },
    ],
  });
  for (const resource of [resources.stagedNetworkPoliciesV3, resources.calicoNetworkPoliciesV3])
    await opened.store.create(resources.customResourceDefinitions, definitionOf(resource));
  await opened.pass(5);
  return opened;
}

test.each([
  ['StagedNetworkPolicy', resources.stagedNetworkPoliciesV3],
  ['NetworkPolicy', resources.calicoNetworkPoliciesV3],
] as const)("through Calico's own API a %s is made, found and deleted under its own name", async (kind, resource) => {
  stage = await openShown();
  const chosen = policy(kind);
  const target = { resource, namespace: 'default', name: 'web-seen' };
  const kube = await grantedFor(chosen);
  const answers = enableAnswers(goodEndpoint, { goal: 'policy', policy: chosen });
  const { plan, findings } = await planEnable(kube, stage.clock, answers);
  expect(plan.operations[1]).toMatchObject({ act: { kind: 'create', target }, previewed: 'dry-run' });
  expect(findings.findings.find(({ id }) => id === 'permissions.plan')).toMatchObject({ status: 'pass' });
  const { run, outcome } = startedRun(await startRun(stage.process({ kube }), plan));
  expect(outcome).toEqual({ kind: 'done' });
  expect(await stage.store.get(target)).toMatchObject({ apiVersion: 'projectcalico.org/v3', spec: chosen.spec });
  const again = (await planEnable(kube, stage.clock, answers)).plan;
  expect(again.operations.every(({ status }) => status === 'already-done')).toBe(true);
  expect(startedRun(await continueRun(stage.process({ kube }), run, { how: 'undo' })).outcome).toEqual({
    kind: 'undone',
  });
  expect(await stage.store.get(target)).toBeNull();
});

test("through Calico's own API the rights on the tier belong to it, and who lacks them is told so before the run", async () => {
  stage = await openShown();
  const chosen = policy('StagedNetworkPolicy');
  for (const object of namespacesForRoles('policy')) await stage.store.create(resources.namespaces, object);
  const rules = rulesFor(chosen).map((rule) => ({
    ...rule,
    resources: rule.resources.filter((plural) => !plural.startsWith('tier')),
  }));
  const kube = stage.store.as({ name: 'signalbox', rules });
  const answers = enableAnswers(goodEndpoint, { goal: 'policy', policy: chosen });
  const { findings } = await planEnable(kube, stage.clock, answers);
  const finding = findings.findings.find(({ id }) => id === 'permissions.plan');
  expect(finding?.status).toBe('fail');
  expect(finding?.subjects.map(({ name, namespace }) => `${namespace} ${name}`)).toEqual([
    'null get tiers.projectcalico.org default',
    ...['create', 'get', 'delete'].map(
      (verb) => `default ${verb} tier.stagednetworkpolicies.projectcalico.org default.* in default`,
    ),
  ]);
});
