import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { makePlan } from '../../make-plan.ts';
import { parsePlan } from '../../parse-plan.ts';
import { planUndo } from '../../plan-undo.ts';
import { aCluster, someFindings } from '../../testing/a-cluster.ts';
import { aRelease } from '../../testing/a-release.ts';
import { upgradeAfterwards } from './upgrade-afterwards.ts';

const crd = 'crd.projectcalico.org/v1';
const endpoint = {
  apiVersion: crd,
  kind: 'HostEndpoint',
  metadata: { name: 'worker-1', uid: 'u', annotations: { 'projectcalico.org/metadata': '{"labels":{"role":"db"}}' } },
  spec: { interfaceName: '*', node: 'node-1' },
};
const policy = {
  apiVersion: crd,
  kind: 'GlobalNetworkPolicy',
  metadata: { name: 'default.allow-all-upgrade' },
  spec: { selector: 'all()' },
};
const labelsOfOld = { role: 'db', zone: 'a', 'kubernetes.io/os': 'linux' };
const byHand = [
  {
    name: 'worker-1',
    node: 'node-1',
    labels: labelsOfOld,
    profiles: ['projectcalico-default-allow'],
    ports: [] as string[],
  },
];
const wouldSelect = [
  { policy: 'db-only', selector: 'role == "db"', nodes: { count: 4, first: ['node-1', 'node-2', 'node-3', 'node-4'] } },
  { policy: 'odd', selector: 'role =', nodes: null },
];

const refusal = { kind: 'GlobalNetworkPolicy', because: 'forbidden' };

type Given = {
  afterwards?: Choices['afterwards'];
  changes?: Choices['changes'];
  role?: string;
  method?: 'manifest-etcd';
  createDefault?: 'Disabled' | null;
  unread?: boolean;
  old?: Partial<(typeof byHand)[number]>;
  more?: typeof byHand;
  selecting?: Facts['upgrade']['hostEndpoints']['selecting'];
};

function factsOf({ role, method, createDefault = null, unread, old, more = [], selecting = [] }: Given) {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', labels: { zone: 'a', ...(role && { role }) } },
  };
  const facts = aCluster({
    objects: {
      'HostEndpoint/worker-1': endpoint,
      'Node/node-1': node,
      'KubeControllersConfiguration/default': {
        apiVersion: crd,
        kind: 'KubeControllersConfiguration',
        metadata: { name: 'default' },
        spec: { controllers: { node: { hostEndpoint: { autoCreate: 'Disabled' } } } },
      },
      'GlobalNetworkPolicy/default.allow-all-upgrade': policy,
    } as unknown as Facts['resources']['objects'],
  });
  const hostEndpoints = {
    ...{ autoCreate: 'Disabled' as const, createDefault, automatic: 0, allInterfaces: [] },
    ...{ byHand: [...byHand.map((one) => ({ ...one, ...old })), ...more], wouldSelect, selecting },
  };
  const temporaryPolicies = [{ kind: 'GlobalNetworkPolicy', namespace: null, name: policy.metadata.name, detail: '' }];
  return {
    ...facts,
    installation: { ...facts.installation, version: 'v3.30.7', ...(method && { method }) },
    upgrade: { ...facts.upgrade, hostEndpoints, temporaryPolicies },
    ...(unread && { coverage: { ...facts.coverage, hostEndpoints: { covered: false, missing: [refusal] } } }),
  };
}

const choicesOf = ({ afterwards, changes }: Given) =>
  choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', afterwards, changes });

function planOf(given: Given) {
  return makePlan({
    facts: factsOf(given),
    choices: choicesOf(given),
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: aRelease('v3.31.4', 'v1.40.7'),
    running: aRelease('v3.30.7', 'v1.38.16'),
  });
}

const added = ({ operations }: ReturnType<typeof planOf>) => operations.filter(({ id }) => /^(hep|policy)\./.test(id));
const all: Given = { afterwards: ['host-endpoints', 'allow-all-upgrade'] };

test('nothing follows that nobody asked for', () => {
  expect(added(planOf({}))).toEqual([]);
});

test('host endpoints: labels first, then automatic ones, then the old ones go; the policy last, all after the release and before the checks', () => {
  const plan = planOf(all);
  const ids = plan.operations.map(({ id }) => id);
  expect(ids.slice(ids.indexOf('release.active') + 1)).toEqual([
    ...['hep.copy-labels', 'hep.auto-create', 'hep.delete-old', 'policy.allow-all-upgrade'],
    ...['verify.pods', 'verify.version', 'verify.services'],
  ]);
  const [labels, auto] = added(plan);
  expect(labels?.act).toMatchObject({ steps: [{ act: { body: { metadata: { labels: { role: 'db' } } } } }] });
  expect(JSON.stringify(labels?.act)).not.toContain('kubernetes.io');
  expect(auto?.why).toContain('db-only (4 nodes: node-1, node-2, node-3 …)');
  expect(auto?.why).toContain('cannot be read');
  expect(auto?.why).toContain('tcp 22, tcp 179');
  expect(auto?.why).toContain('The kubelet’s tcp 10250 is not among them.');
  const text = JSON.parse(JSON.stringify(plan));
  expect(JSON.parse(JSON.stringify(parsePlan(text)))).toEqual(text);
});

test('the way back: the policy and the old endpoints as they were, Disabled again, the labels off, and only then the earlier release', () => {
  const plan = planOf(all);
  const back = planUndo(
    plan,
    plan.operations.map(({ seq }) => seq),
    null,
  );
  expect(back.map(({ title }) => title).slice(0, 5)).toEqual([
    'Make the temporary policy again',
    'Make the earlier host endpoints again',
    'Turn automatic host endpoints off, as before: Calico removes those it created',
    'Remove the copied labels from the nodes',
    expect.stringContaining('Bring the earlier operator back'),
  ]);
  const { apiVersion, kind, spec } = endpoint;
  const { name, annotations } = endpoint.metadata;
  expect(back[1]?.act).toMatchObject({
    steps: [{ act: { body: { apiVersion, kind, metadata: { name, annotations }, spec } } }],
  });
  expect(back[2]?.act).toMatchObject({
    body: { spec: { controllers: { node: { hostEndpoint: { autoCreate: 'Disabled' } } } } },
  });
  expect(back[3]?.act).toMatchObject({ steps: [{ act: { body: { metadata: { labels: { role: null } } } } }] });
});

const conflict = 'Node/node-1:metadata.labels.role';

test('a label with another value is a question, and stays or goes as it is answered', () => {
  expect(() => planOf({ ...all, role: 'web' })).toThrow(
    `label role is web on Node node-1 and db on its host endpoint. Say of each which stays: --keep ${conflict}`,
  );
  const keepingTheNodes = planOf({ ...all, role: 'web', changes: { [conflict]: 'keep' } });
  expect(added(keepingTheNodes).map(({ id }) => id)).not.toContain('hep.copy-labels');
  const [taken] = added(planOf({ ...all, role: 'web', changes: { [conflict]: 'take' } }));
  expect(taken?.act).toMatchObject({ steps: [{ act: { body: { metadata: { labels: { role: 'db' } } } } }] });
  expect(() => planOf({ ...all, changes: { [conflict]: 'take' } })).toThrow('is not a label with different values');
  expect(() => planOf({ changes: { [conflict]: 'take' } })).toThrow('Only an installation by manifest');
});

test('what the wizard offers: each off, with what it does; labels to decide once they are asked about; answers that fit no more', () => {
  const offered = (given: Given) => upgradeAfterwards({ facts: factsOf(given), choices: choicesOf(given) });
  const idle = offered({ role: 'web' });
  expect(idle.offers.map(({ what, isAsked, cannot }) => ({ what, isAsked, cannot }))).toEqual([
    { what: 'host-endpoints', isAsked: false, cannot: null },
    { what: 'allow-all-upgrade', isAsked: false, cannot: null },
    { what: 'flow-logs', isAsked: false, cannot: null },
    {
      what: 'sidecars',
      isAsked: false,
      cannot: 'No pod carries a sidecar of application layer policy from Istio’s injector or its own template.',
    },
  ]);
  expect(idle.offers[0]?.does).toContain('db-only (4 nodes');
  expect(idle.decisions).toEqual([]);
  const label = { id: conflict, about: 'Label role of Node node-1', keep: 'web', take: 'db' };
  expect(offered({ ...all, role: 'web' }).decisions).toEqual([{ ...label, decided: false }]);
  expect(offered({ ...all, role: 'web', changes: { [conflict]: 'keep' } }).decisions).toEqual([
    { ...label, decided: true },
  ]);
  expect(offered({ ...all, changes: { [conflict]: 'keep' } })).toMatchObject({ decisions: [], stray: [conflict] });
  expect(offered({ createDefault: 'Disabled' }).offers[0]?.cannot).toContain('createDefaultHostEndpoint Disabled');
  const inEtcd = offered({ method: 'manifest-etcd' }).offers.filter(({ what }) => what !== 'sidecars');
  expect(inEtcd.map(({ cannot }) => cannot)).toEqual(Array(3).fill(expect.stringContaining('never written from here')));
});

test('labels are copied only as they were read: of the node, and of the endpoint that has them', () => {
  const [copy] = added(planOf(all));
  expect(copy?.reads.map(({ target }) => `${target.resource.kind}/${target.name}`)).toEqual([
    'Node/node-1',
    'HostEndpoint/worker-1',
  ]);
  expect(copy?.reads[1]?.expected.map(({ path }) => path.at(-1))).toContain('projectcalico.org/metadata');
});

test('what Calico keeps in etcd is not written', () => {
  expect(() => planOf({ ...all, method: 'manifest-etcd' })).toThrow('never written from here');
});

const alone = { namespaceSelector: null, serviceAccountSelector: null };
const osPolicy = { policy: 'linux', selector: "kubernetes.io/os == 'linux'", ...alone };

test.each<[string, Given, string]>([
  ['no profile', { old: { profiles: [] } }, 'it has no profile'],
  ['another profile', { old: { profiles: ['strict'] } }, 'its profiles are strict'],
  ['named ports', { old: { ports: ['ssh'] } }, 'rules for ssh'],
  ['a policy by a label of Kubernetes', { selecting: [osPolicy] }, 'policy linux may not select'],
  ['an unreadable policy', { selecting: [{ ...osPolicy, selector: 'x =' }] }, 'cannot be read'],
])('an old endpoint is not replaced unasked: %s', (_name, given, because) => {
  expect(() => planOf({ ...all, ...given })).toThrow(because);
  const last = (answer: 'keep' | 'take') =>
    added(planOf({ ...all, ...given, changes: { 'HostEndpoint/worker-1': answer } })).find(
      ({ id }) => id === 'hep.delete-old',
    );
  expect(last('take')?.why).toContain(because);
  expect(last('keep')).toBeUndefined();
});

test('what differs in nothing is no question, and an answer about it is refused', () => {
  expect(() => planOf({ ...all, changes: { 'HostEndpoint/worker-1': 'take' } })).toThrow('not a host endpoint whose');
  expect(() => planOf({ changes: { HostEndpoint: 'take' } })).toThrow('Only an installation by manifest');
});

test('two endpoints of a node with different values: none is copied, and only if somebody says so', () => {
  const [first] = byHand;
  const more = first ? [{ ...first, labels: { ...labelsOfOld, role: 'web' } }] : [];
  expect(() => planOf({ ...all, more })).toThrow(`${conflict} would be db and web`);
  expect(() => planOf({ ...all, more, changes: { [conflict]: 'take' } })).toThrow('Make them the same first');
  expect(added(planOf({ ...all, more, changes: { [conflict]: 'keep' } })).map(({ id }) => id)).not.toContain(
    'hep.copy-labels',
  );
});

test('host endpoints are not moved where no default one is made, or where it is not known what would select them', () => {
  expect(() => planOf({ ...all, createDefault: 'Disabled' })).toThrow('createDefaultHostEndpoint Disabled');
  expect(() => planOf({ ...all, unread: true })).toThrow('could be read: GlobalNetworkPolicy (forbidden)');
  expect(() => planOf({ afterwards: ['allow-all-upgrade'], unread: true })).not.toThrow();
});

test.each([
  ['another label of Kubernetes', /"role":"db"/g, '"kubernetes.io/role":"db"'],
  ['another policy', /default\.allow-all-upgrade/g, 'default.deny-all'],
  ['another kind', /"plural":"hostendpoints"/g, '"plural":"ippools"'],
  ['Disabled by the way there', /"autoCreate":"Enabled"/g, '"autoCreate":"Disabled"'],
])('a plan that was changed to %s is refused', (_name, from, to) => {
  const text = JSON.stringify(planOf(all));
  expect(text).toMatch(from);
  expect(() => parsePlan(JSON.parse(text.replaceAll(from, to)))).toThrow();
});

test('what the wizard asks about endpoints comes after their labels, and by the labels that their nodes will have', () => {
  const offered = (given: Given) => upgradeAfterwards({ facts: factsOf(given), choices: choicesOf(given) });
  const selecting = [{ ...osPolicy, policy: 'db', selector: "role == 'db'" }];
  const endpoint = 'HostEndpoint/worker-1';
  // The copied label is what db selects by: nothing is lost.
  expect(offered({ ...all, selecting }).decisions).toEqual([]);
  const open = { ...all, role: 'web', selecting, changes: { [endpoint]: 'take' as const } };
  expect(offered(open)).toMatchObject({ decisions: [{ id: conflict, decided: false }], stray: [] });
  const decided = { ...open, changes: { [conflict]: 'keep' as const } };
  expect(offered(decided).decisions).toMatchObject([
    { id: conflict, decided: true },
    { id: endpoint, take: expect.stringContaining('db'), decided: false },
  ]);
  const everyOne = { ...decided, changes: { ...decided.changes, HostEndpoint: 'take' as const } };
  expect(offered(everyOne)).toMatchObject({
    decisions: [{ decided: true }, { id: endpoint, decided: true }],
    stray: [],
  });
  expect(added(planOf(everyOne)).map(({ id }) => id)).toContain('hep.delete-old');
});
