import { expect, test } from 'vitest';
import type { ReadObject } from '#lib/facts/index.ts';
import type { Choices, ManifestObject } from '#lib/spec/index.ts';
import { changesByHand, withChanges } from './three-way.ts';

type Part = Record<string, unknown>;
type Agent = { pod?: Part; container?: Part; spec?: Part; metadata?: Part; template?: Part; env?: object[] };

const object = 'kube-system/DaemonSet/calico-node';

/** A small agent of a release; `of` adds what else it has. */
function agent(version: string, { pod, container, spec, metadata, template, env }: Agent = {}): ManifestObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'calico-node', namespace: 'kube-system', labels: { 'k8s-app': 'calico-node' }, ...metadata },
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      ...spec,
      template: {
        metadata: { labels: { 'k8s-app': 'calico-node' }, ...template },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          hostNetwork: true,
          tolerations: [
            { effect: 'NoSchedule', operator: 'Exists' },
            { effect: 'NoExecute', operator: 'Exists' },
          ],
          volumes: [{ name: 'lib-modules', hostPath: { path: '/lib/modules' } }],
          ...pod,
          containers: [
            {
              name: 'calico-node',
              image: `quay.io/calico/node:${version}`,
              resources: { requests: { cpu: '250m' } },
              env: env ?? variables,
              volumeMounts: [{ mountPath: '/lib/modules', name: 'lib-modules', readOnly: true }],
              ...container,
            },
          ],
        },
      },
    },
  };
}

const variables = [
  { name: 'CALICO_IPV4POOL_IPIP', value: 'Always' },
  { name: 'FELIX_HEALTHENABLED', value: 'true' },
  { name: 'NODENAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
];
const changedVariable = [{ name: 'CALICO_IPV4POOL_IPIP', value: 'Never' }, ...variables.slice(1)];
const container = 'spec.template.spec.containers[calico-node]';

const old = agent('v3.30.7');
const next = agent('v3.31.4');
const rows: readonly [what: string, live: Agent, path: string, kept: Agent][] = [
  [
    'a value of the environment',
    { env: changedVariable },
    `${container}.env[CALICO_IPV4POOL_IPIP].value`,
    { env: changedVariable },
  ],
  [
    'a variable that was added',
    { env: [...variables, { name: 'FELIX_BPFENABLED', value: 'true' }] },
    `${container}.env[FELIX_BPFENABLED]`,
    { env: [...variables, { name: 'FELIX_BPFENABLED', value: 'true' }] },
  ],
  [
    'a variable that was taken out',
    { env: variables.slice(1) },
    `${container}.env[CALICO_IPV4POOL_IPIP]`,
    { env: variables.slice(1) },
  ],
  [
    'a mirror, which gets the new version',
    { container: { image: 'mirror.example:5000/net/node:v3.30.7' } },
    `${container}.image`,
    { container: { image: 'mirror.example:5000/net/node:v3.31.4' } },
  ],
  [
    'an image by digest in a mirror',
    { container: { image: `mirror.example/node@sha256:${'a'.repeat(64)}` } },
    `${container}.image`,
    { container: { image: 'mirror.example/node:v3.31.4' } },
  ],
  [
    'an amount',
    { container: { resources: { requests: { cpu: '0.5' } } } },
    `${container}.resources.requests.cpu`,
    { container: { resources: { requests: { cpu: '0.5' } } } },
  ],
  [
    'a limit',
    { container: { resources: { requests: { cpu: '250m' }, limits: { memory: '1Gi' } } } },
    `${container}.resources.limits`,
    { container: { resources: { requests: { cpu: '250m' }, limits: { memory: '1Gi' } } } },
  ],
  [
    'a toleration',
    {
      pod: {
        tolerations: [
          { effect: 'NoSchedule', operator: 'Exists' },
          { effect: 'NoExecute', operator: 'Exists' },
          { key: 'gpu', operator: 'Exists' },
        ],
      },
    },
    'spec.template.spec.tolerations[key=gpu,operator=Exists]',
    {
      pod: {
        tolerations: [
          { effect: 'NoSchedule', operator: 'Exists' },
          { effect: 'NoExecute', operator: 'Exists' },
          { key: 'gpu', operator: 'Exists' },
        ],
      },
    },
  ],
  [
    'a node selector',
    { pod: { nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'blue' } } },
    'spec.template.spec.nodeSelector.pool',
    { pod: { nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'blue' } } },
  ],
  [
    'a volume',
    {
      pod: {
        volumes: [
          { name: 'lib-modules', hostPath: { path: '/lib/modules' } },
          { name: 'certs', secret: { secretName: 'certs' } },
        ],
      },
    },
    'spec.template.spec.volumes[certs]',
    {
      pod: {
        volumes: [
          { name: 'lib-modules', hostPath: { path: '/lib/modules' } },
          { name: 'certs', secret: { secretName: 'certs' } },
        ],
      },
    },
  ],
  [
    'a second mount of a volume',
    {
      container: {
        volumeMounts: [
          { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
          { mountPath: '/modules', name: 'lib-modules' },
        ],
      },
    },
    `${container}.volumeMounts[/modules]`,
    {
      container: {
        volumeMounts: [
          { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
          { mountPath: '/modules', name: 'lib-modules' },
        ],
      },
    },
  ],
  [
    'a port',
    { container: { ports: [{ containerPort: 9091, name: 'metrics' }] } },
    `${container}.ports`,
    { container: { ports: [{ containerPort: 9091, name: 'metrics' }] } },
  ],
  [
    'a priority',
    { pod: { priorityClassName: 'mine' } },
    'spec.template.spec.priorityClassName',
    { pod: { priorityClassName: 'mine' } },
  ],
  [
    'a pull Secret',
    { pod: { imagePullSecrets: [{ name: 'pull' }] } },
    'spec.template.spec.imagePullSecrets',
    { pod: { imagePullSecrets: [{ name: 'pull' }] } },
  ],
  [
    'how many nodes change at once',
    { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } } } },
    'spec.updateStrategy.rollingUpdate.maxUnavailable',
    { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } } } },
  ],
  [
    'an annotation of the pods',
    { template: { annotations: { 'prometheus.io/scrape': 'true' } } },
    'spec.template.metadata.annotations.prometheus.io/scrape',
    { template: { annotations: { 'prometheus.io/scrape': 'true' } } },
  ],
  [
    'a label',
    { metadata: { labels: { 'k8s-app': 'calico-node', team: 'network' } } },
    'metadata.labels.team',
    { metadata: { labels: { 'k8s-app': 'calico-node', team: 'network' } } },
  ],
  ['DNS', { pod: { dnsPolicy: 'Default' } }, 'spec.template.spec.dnsPolicy', { pod: { dnsPolicy: 'Default' } }],
];

const three = (live: Agent, answers: NonNullable<Choices['changes']> = {}, files = { old, next }) =>
  changesByHand({ object, live: agent('v3.30.7', live) as ReadObject, ...files, answers });

test.each(rows)('%s is found, stays without an answer, and goes where the new is taken', (_what, live, path, kept) => {
  const found = three(live);
  expect(found.map((one) => [one.path, one.decision, one.decidedBy])).toEqual([[path, 'keep', 'proposal']]);
  expect(withChanges(next, found)).toEqual(agent('v3.31.4', kept));
  const id = `${object}:${path}`;
  expect(withChanges(next, three(live, { [id]: 'take' }))).toEqual(next);
  expect(three(live, { [object]: 'keep' })[0]).toMatchObject({ id, decision: 'keep', decidedBy: 'answer' });
});

/** The published object as the API server returns it. */
const served = (): ReadObject => {
  const object = agent('v3.30.7') as ReadObject & { spec: Part };
  const pod = {
    ...(agent('v3.30.7').spec as { template: { spec: Part } }).template.spec,
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccount: 'calico-node',
    terminationGracePeriodSeconds: 30,
    tolerations: [
      { effect: 'NoExecute', operator: 'Exists' },
      { operator: 'Exists', effect: 'NoSchedule' },
    ],
    volumes: [{ name: 'lib-modules', hostPath: { path: '/lib/modules', type: '' } }],
    containers: [
      {
        name: 'calico-node',
        image: 'quay.io/calico/node:v3.30.7',
        imagePullPolicy: 'IfNotPresent',
        resources: { requests: { cpu: '0.25' } },
        env: [
          variables[1],
          variables[0],
          { name: 'NODENAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
        ],
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        volumeMounts: [{ mountPath: '/lib/modules', name: 'lib-modules', readOnly: true }],
      },
    ],
  };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: {
        'deprecated.daemonset.template.generation': '3',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
      },
    },
    spec: {
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      template: { metadata: { creationTimestamp: null, labels: { 'k8s-app': 'calico-node' } }, spec: pod },
    },
  };
};

test('defaults of the server, and its order, amounts and empty values, are no changes', () => {
  expect(changesByHand({ object, live: served(), old, next, answers: {} })).toEqual([]);
});

test.each<[string, file: object, live: object, found: unknown[]]>([
  ['nought seconds', { terminationGracePeriodSeconds: 0 }, { terminationGracePeriodSeconds: 30 }, [30]],
  ['no links', { enableServiceLinks: false }, { enableServiceLinks: true }, [true]],
  ['nothing said', {}, { terminationGracePeriodSeconds: 30 }, []],
  ['nought, and nobody set it', { terminationGracePeriodSeconds: 0 }, {}, []],
])('%s in the file and the server’s default here: a change where somebody made it one', (_what, file, live, found) => {
  const files = { old: agent('v3.30.7', { pod: { ...file } }), next: agent('v3.31.4', { pod: { ...file } }) };
  expect(three({ pod: { ...live } }, {}, files).map((one) => one.becomes)).toEqual(found);
});

test('an older build of the same image is no change by hand: the new one comes', () => {
  expect(three({ container: { image: 'quay.io/calico/node:v3.30.6' } })).toEqual([]);
});

test('a field that the new release has as it runs needs no answer', () => {
  expect(three({ env: changedVariable }, {}, { old, next: agent('v3.31.4', { env: changedVariable }) })).toEqual([]);
});

test('where the new release changes the same, nobody but the administrator can say which is right', () => {
  const later = agent('v3.31.4', {
    env: [{ name: 'CALICO_IPV4POOL_IPIP', value: 'CrossSubnet' }, ...variables.slice(1)],
  });
  const files = { old, next: later };
  const id = `${object}:${container}.env[CALICO_IPV4POOL_IPIP].value`;
  const [open] = three({ env: changedVariable }, {}, files);
  expect(open).toMatchObject({ id, released: 'Always', live: 'Never', next: 'CrossSubnet', decidedBy: 'nobody' });
  const written = three({ env: changedVariable }, { [id]: { write: 'Always' } }, files);
  expect(written).toMatchObject([{ decision: 'write', decidedBy: 'answer', becomes: 'Always' }]);
  expect(withChanges(later, written)).toEqual(agent('v3.31.4'));
});

test('a variable that the new release no longer has comes with its name where it is kept', () => {
  const later = agent('v3.31.4', { env: variables.slice(1) });
  const found = three({ env: changedVariable }, { all: 'keep' }, { old, next: later });
  expect(withChanges(later, found)).toEqual(
    agent('v3.31.4', { env: [...variables.slice(1), { name: 'CALICO_IPV4POOL_IPIP', value: 'Never' }] }),
  );
});

test('rights count as a set: order is none of it, and a right that was added stays', () => {
  const role = (...rules: object[]): ManifestObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'calico-node' },
    rules,
  });
  const read = { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list'] };
  const mine = { apiGroups: ['example.test'], resources: ['things'], verbs: ['get'] };
  const more = { apiGroups: [''], resources: ['services'], verbs: ['get'] };
  const live = role(mine, { ...read, verbs: ['list', 'get'] }) as ReadObject;
  const found = changesByHand({
    object: 'ClusterRole/calico-node',
    live,
    old: role(read),
    next: role(read, more),
    answers: {},
  });
  expect(found).toMatchObject([{ path: 'rules[example.test/things]', live: mine }]);
  expect(withChanges(role(read, more), found)).toEqual(role(read, more, mine));
});

test('without the file of the release that runs two are compared: settings stay, the shape is the release’s, and nobody has decided', () => {
  const live = agent('v3.30.7', {
    env: changedVariable,
    pod: { volumes: [{ name: 'lib-modules', hostPath: { path: '/old' } }] },
  }) as ReadObject;
  const found = changesByHand({ object, live, old: null, next, answers: {} });
  expect(found.map(({ path, decision, decidedBy }) => [path, decision, decidedBy])).toEqual([
    ['spec.template.spec.volumes[lib-modules].hostPath.path', 'take', 'nobody'],
    [`${container}.env[CALICO_IPV4POOL_IPIP].value`, 'keep', 'nobody'],
  ]);
  expect(withChanges(next, found)).toEqual(agent('v3.31.4', { env: changedVariable }));
});

const started = { name: 'mount-bpffs', image: 'quay.io/calico/node:v3.30.7', command: ['calico-node', '-init'] };
const startedBy = (more: object) => ({ pod: { initContainers: [{ ...started, ...more }] } });
const bootstrap = { name: 'ebpf-bootstrap', image: 'quay.io/calico/node:v3.31.4', command: ['calico-node', '-init'] };
const renamed = {
  old: agent('v3.30.7', startedBy({})),
  next: agent('v3.31.4', { pod: { initContainers: [bootstrap] } }),
};
const mirrored = 'mirror.example/calico/node';

test('a mirror of a container that the new release renamed reaches the new one, and nothing is left of the old', () => {
  const live = { ...startedBy({ image: `${mirrored}:v3.30.7` }), container: { image: `${mirrored}:v3.30.7` } };
  for (const old of [renamed.old, null]) {
    const found = changesByHand({ object, live: agent('v3.30.7', live) as ReadObject, ...renamed, old, answers: {} });
    expect(withChanges(renamed.next, found)).toEqual(
      agent('v3.31.4', {
        pod: { initContainers: [{ ...bootstrap, image: `${mirrored}:v3.31.4` }] },
        container: { image: `${mirrored}:v3.31.4` },
      }),
    );
    expect(found.some(({ decidedBy }) => decidedBy === 'nobody')).toBe(old === null);
  }
});

test('a field of a container that the new release no longer has is a question about the whole of it', () => {
  const live = startedBy({ resources: { requests: { cpu: '1' } } });
  const path = 'spec.template.spec.initContainers[mount-bpffs]';
  const found = three(live, {}, renamed);
  expect(found).toMatchObject([{ path, decision: 'take', decidedBy: 'nobody' }]);
  expect(withChanges(renamed.next, found)).toEqual(renamed.next);
  expect(withChanges(renamed.next, three(live, { all: 'keep' }, renamed))).toEqual(
    agent('v3.31.4', { pod: { initContainers: [bootstrap, live.pod.initContainers[0]] } }),
  );
});

test.each([
  ['beside a mirrored one of the same folder: a guess', 'quay.io/calico/fresh:v1', 'mirror.example/calico/fresh:v1'],
  ['of another folder: as the release has it', 'elsewhere.example/fresh:v1', 'elsewhere.example/fresh:v1'],
])('a new image of a name that nobody has mirrored is asked for, %s', (_what, image, becomes) => {
  const live = { container: { image: `${mirrored}:v3.30.7` } };
  const fresh = agent('v3.31.4', { pod: { initContainers: [{ name: 'fresh', image }] } });
  const question = three(live, {}, { old, next: fresh }).find(({ path }) => path.includes('fresh'));
  expect(question).toMatchObject({ next: image, becomes, decidedBy: 'nobody' });
});

test('containers that come from where the release has them ask for nothing', () => {
  expect(three(startedBy({}), {}, renamed)).toEqual([]);
  const elsewhere = agent('v3.31.4', {
    pod: { initContainers: [{ ...bootstrap, image: 'quay.test/node:v3.31.4' }] },
    container: { image: 'quay.test/node:v3.31.4' },
  });
  expect(three(startedBy({}), {}, { ...renamed, next: elsewhere })).toEqual([]);
});

test.each([
  ['a variable', { env: changedVariable }, `${container}.env[CALICO_IPV4POOL_IPIP].value`, 1400, '1400'],
  ['a switch', { env: changedVariable }, `${container}.env[CALICO_IPV4POOL_IPIP].value`, true, 'true'],
  ['a percentage', { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } } }, 'max', 2, 2],
])('%s is written as its field has it: text or number', (_what, live, path, write, becomes) => {
  expect(three(live, { all: { write } }).find((one) => one.path.includes(path))).toMatchObject({ becomes });
});
