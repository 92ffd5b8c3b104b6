import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Choices } from '#lib/spec/index.ts';
import { parsePlan } from './parse-plan.ts';
import { planSchema } from './plan.ts';
import { PlanError } from './plan-error.ts';
import { aPlan, type Difference } from './testing/a-cluster.ts';

const saved = (): ReturnType<typeof JSON.parse> =>
  JSON.parse(JSON.stringify(aPlan({}, { dsr: true, forgetKubeadmProxy: true, set: { registry: 'x/' } })));

const release = {
  name: 'calico',
  namespace: 'tigera-operator',
  chart: 'tigera-operator-v3.31.4',
  revision: 3,
  status: 'deployed',
  values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } },
};

const helmAct = {
  kind: 'helm',
  verb: 'upgrade',
  release: 'calico',
  namespace: 'tigera-operator',
  chart: 'projectcalico/tigera-operator',
  version: 'v3.31.4',
  set: { 'installation.calicoNetwork.linuxDataplane': 'BPF' },
};

test('a plan that was saved is the same plan when it is read', () => {
  expect(parsePlan(saved())).toEqual(aPlan({}, { dsr: true, forgetKubeadmProxy: true, set: { registry: 'x/' } }));
  expect(
    parsePlan(JSON.parse(JSON.stringify(aPlan({ proxy: { mode: 'ipvs' } }, { fix: ['proxy.not-ipvs'] })))).operations,
  ).toHaveLength(3);
});

/** A release may define more of the operator's kinds than this table lists. */
function logStorage(differs: object = {}) {
  const resource = {
    group: 'operator.tigera.io',
    version: 'v1',
    kind: 'LogStorage',
    plural: 'logstorages',
    namespaced: false,
  };
  return { resource: { ...resource, ...differs }, name: 'tigera-secure' };
}

test('a plan may name what a release asks of its operator, known here or not', () => {
  const plan = set(saved(), 'act', { kind: 'delete', target: logStorage(), propagation: 'Background' });
  expect(planSchema.parse(plan).operations[1]?.act).toMatchObject({ target: { name: 'tigera-secure' } });
  expect(() => parsePlan(plan)).toThrow(
    /operator\.dns|endpoint\.configmap may not do: delete LogStorage tigera-secure/,
  );
});

test.each([
  ['no plan at all', () => 7, []],
  ['null', () => null, []],
  ['another kind', (plan: ReturnType<typeof saved>) => ({ ...plan, kind: 'Facts' }), ['kind']],
  ['a key too many', (plan: ReturnType<typeof saved>) => ({ ...plan, run: 'rm' }), []],
  [
    'an act of another kind',
    (plan: ReturnType<typeof saved>) => set(plan, 'act', { kind: 'shell', command: 'rm' }),
    ['operations', 1, 'act', 'kind'],
  ],
  ...(
    [
      ['another version', { version: 'v2' }],
      ['a path in its plural', { plural: 'logstorages/status' }],
      ['the plural of another kind', { plural: 'installations' }],
      ['the kind of another plural', { kind: 'Installation' }],
      ['another group', { group: 'operator.example.com' }],
    ] as const
  ).map(([words, differs]): [string, (plan: ReturnType<typeof saved>) => unknown, (string | number)[]] => [
    `a kind of the operator that is not known, with ${words}`,
    (plan) => set(plan, 'act', { kind: 'delete', target: logStorage(differs), propagation: 'Background' }),
    ['operations', 1, 'act', 'target', 'resource'],
  ]),
  [
    'an object that no plan may name',
    (plan: ReturnType<typeof saved>) => {
      const resource = {
        group: 'certificates.k8s.io',
        version: 'v1',
        kind: 'CertificateSigningRequest',
        plural: 'certificatesigningrequests',
        namespaced: false,
      };
      return set(plan, 'act', { kind: 'delete', target: { resource, name: 'x' }, propagation: 'Background' });
    },
    ['operations', 1, 'act', 'target', 'resource'],
  ],
  [
    'a name that leaves its place',
    (plan: ReturnType<typeof saved>) => {
      const act = plan.operations[1].act;
      return set(plan, 'act', { ...act, target: { ...act.target, name: '../../nodes/x' } });
    },
    ['operations', 1, 'act', 'target', 'name'],
  ],
  [
    'helm with arguments of its own',
    (plan: ReturnType<typeof saved>) =>
      set(plan, 'act', { ...helmAct, arguments: ['upgrade', '--post-renderer', './x'] }),
    ['operations', 1, 'act'],
  ],
  [
    'helm with a flag for a name',
    (plan: ReturnType<typeof saved>) => set(plan, 'act', { ...helmAct, release: '--post-renderer=./x' }),
    ['operations', 1, 'act', 'release'],
  ],
  [
    'helm with another chart',
    (plan: ReturnType<typeof saved>) => set(plan, 'act', { ...helmAct, chart: 'oci://elsewhere/chart' }),
    ['operations', 1, 'act'],
  ],
  [
    'helm with a flag for a chart',
    (plan: ReturnType<typeof saved>) => set(plan, 'act', { ...helmAct, chart: '--post-renderer=/tmp/x' }),
    ['operations', 1, 'act', 'chart'],
  ],
  [
    'helm with more values in one',
    (plan: ReturnType<typeof saved>) => set(plan, 'act', { ...helmAct, set: { 'a.b': 'x,c=y' } }),
    ['operations', 1, 'act', 'set', 'a.b'],
  ],
  ['a hole in the numbers', (plan: ReturnType<typeof saved>) => set(plan, 'seq', 9), ['operations']],
  [
    'a deadline that is text',
    (plan: ReturnType<typeof saved>) => set(plan, 'deadlineSeconds', '1'),
    ['operations', 1, 'deadlineSeconds'],
  ],
])('%s: refused, and the place is named', (_title, change, path) => {
  try {
    parsePlan(change(saved()));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect((error as PlanError).path).toEqual(path);
    expect((error as PlanError).message).toMatch(/^This is not a plan: .+\.$/);
  }
});

const image = {
  spec: { template: { spec: { containers: [{ name: 'x', image: 'evil', securityContext: { privileged: true } }] } } },
};
const daemonSets = { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true };
const theirs = { resource: daemonSets, namespace: 'kube-system', name: 'theirs' };
const kubeProxy = { ...theirs, name: 'kube-proxy' };

test.each([
  ['a DaemonSet of their own', { kind: 'apply', target: theirs, body: image, force: true }],
  ['another image for kube-proxy', { kind: 'merge-patch', target: kubeProxy, body: image }],
  ['kube-proxy gone', { kind: 'delete', target: kubeProxy, propagation: 'Background' }],
  ['several gone together', { kind: 'delete-all', targets: [kubeProxy], propagation: 'Background' }],
  [
    'a whole map at once',
    { kind: 'merge-patch', target: kubeProxy, body: { spec: { template: { spec: { nodeSelector: null } } } } },
  ],
  ['helm in its place', helmAct],
  [
    'one of these in a sequence',
    {
      kind: 'sequence',
      steps: [{ act: { kind: 'apply', target: theirs, body: image, force: true }, done: { kind: 'journalled' } }],
    },
  ],
])('%s: no operation of the catalogue, refused in act, undo and nudge', (_title, act) => {
  const index = aPlan().operations.findIndex(({ id }) => id === 'proxy.disable.daemonset');
  for (const place of ['act', 'undo', 'nudge']) {
    const plan = JSON.parse(JSON.stringify(aPlan()));
    const operation = plan.operations[index];
    if (place === 'act') operation.act = act;
    else if (place === 'undo') operation.undo.act = act;
    else operation.nudge = { afterSeconds: 1, because: '', act };
    expect(() => parsePlan(plan)).toThrow(/proxy\.disable\.daemonset may not do/);
  }
});

test('an operation that this version does not know is refused', () => {
  expect(() => parsePlan(set(saved(), 'id', 'shell.run'))).toThrow(/is not an operation of this version/);
  expect(() => parsePlan(set(saved(), 'id', 'constructor'))).toThrow(/is not an operation of this version/);
});

test.each([
  ['OpenShift', { platform: { kind: 'openshift' }, proxy: { kind: 'openshift' } }, {}],
  ['k3s', { platform: { kind: 'k3s' }, proxy: { kind: 'embedded' } }, {}],
  ['a managed proxy', {}, { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } }],
  ['Helm', { resources: { helmReleases: [release] } }, { fix: ['managed-by.helm'] }],
  ['no FelixConfiguration', { objects: { 'FelixConfiguration/default': null } }, { dsr: true }],
] as const)('a plan that Signalbox made passes: %s', (_title, difference, choices) => {
  const plan = aPlan(difference as Difference, choices as Partial<Choices>);
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
});

test('a file that is nested without end is refused, not followed', () => {
  let done: unknown = { kind: 'journalled' };
  for (let depth = 0; depth < 200_000; depth++) done = { kind: 'all', of: [done] };
  expect(() => parsePlan(set(saved(), 'done', done))).toThrow(PlanError);
});

test('there is a JSON Schema of it', () => {
  const schema = z.toJSONSchema(planSchema, { unrepresentable: 'any', io: 'input' });
  expect(Object.keys(schema.properties ?? {})).toContain('operations');
});

function set(plan: ReturnType<typeof saved>, key: string, value: unknown) {
  plan.operations[1][key] = value;
  return plan;
}
