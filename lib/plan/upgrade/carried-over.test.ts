import { expect, test } from 'vitest';
import type { ManifestObject } from '#lib/spec/index.ts';
import { fieldAt } from '../objects/field.ts';
import { carriedOver } from './carried-over.ts';

type Pod = Record<string, unknown>;

const deployment = (version: string, pod: Pod = {}, container: Pod = {}): ManifestObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
  spec: {
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        dnsPolicy: 'ClusterFirstWithHostNet',
        ...pod,
        containers: [
          {
            name: 'tigera-operator',
            image: `quay.io/tigera/operator:${version}`,
            args: ['-manage-crds=true'],
            env: [
              { name: 'OPERATOR_NAME', value: 'tigera-operator' },
              { name: 'TIGERA_OPERATOR_INIT_IMAGE_VERSION', value: version },
            ],
            ...container,
          },
        ],
      },
    },
  },
});

const old = deployment('v1.38.16');
const next = deployment('v1.40.7');
const podOf = (object: unknown) => fieldAt(object, ['spec', 'template', 'spec']);
const containerOf = (object: unknown) => fieldAt(podOf(object), ['containers', '0']);

const env = (...more: object[]) => [
  { name: 'OPERATOR_NAME', value: 'tigera-operator' },
  { name: 'TIGERA_OPERATOR_INIT_IMAGE_VERSION', value: 'v1.38.16' },
  ...more,
];
const proxy = { name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' };

test.each<[string, { pod?: Pod; container?: Pod }, { pod?: Pod; container?: Pod }]>([
  ['nothing', {}, {}],
  [
    'tolerations',
    { pod: { tolerations: [{ operator: 'Exists' }] } },
    { pod: { tolerations: [{ operator: 'Exists' }] } },
  ],
  [
    'a node selector of their own',
    { pod: { nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'infra' } } },
    { pod: { nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'infra' } } },
  ],
  [
    'DNS',
    { pod: { dnsConfig: { nameservers: ['169.254.169.253'] } } },
    { pod: { dnsConfig: { nameservers: ['169.254.169.253'] } } },
  ],
  ['a DNS policy', { pod: { dnsPolicy: 'Default' } }, { pod: { dnsPolicy: 'Default' } }],
  [
    'pull Secrets',
    { pod: { imagePullSecrets: [{ name: 'pull' }] } },
    { pod: { imagePullSecrets: [{ name: 'pull' }] } },
  ],
  [
    'resources',
    { container: { resources: { limits: { cpu: '1' } } } },
    { container: { resources: { limits: { cpu: '1' } } } },
  ],
  [
    'a registry, at the version of the new release',
    { container: { image: 'mirror.example:5000/net/operator:v1.38.16' } },
    { container: { image: 'mirror.example:5000/net/operator:v1.40.7' } },
  ],
  [
    'an environment, beside what follows from the release',
    { container: { env: env(proxy) } },
    { container: { env: [...((containerOf(next) as Pod).env as object[]), proxy] } },
  ],
  [
    'arguments that the new release leaves as they were',
    { container: { args: ['-manage-crds=false'] } },
    { container: { args: ['-manage-crds=false'] } },
  ],
])('%s is carried over', (_what, set, expected) => {
  const live = deployment('v1.38.16', set.pod, set.container);
  expect(carriedOver({ next, live, old })).toEqual(deployment('v1.40.7', expected.pod, expected.container));
});

test('what a release changed where somebody had changed it too is the release’s', () => {
  const live = deployment('v1.38.16', {}, { args: ['-manage-crds=false'] });
  const later = deployment('v1.40.7', {}, { args: ['-manage-crds=true', '-more'] });
  expect(containerOf(carriedOver({ next: later, live, old }))).toMatchObject({ args: ['-manage-crds=true', '-more'] });
});

test('without the files of the release that runs, registry, tolerations, node selector and DNS stay as they are found', () => {
  const pod = { tolerations: [{ operator: 'Exists' }], nodeSelector: { pool: 'infra' }, dnsPolicy: 'Default' };
  const live = deployment('v1.38.16', pod, { image: 'mirror.example/operator:v1.38.16' });
  expect(carriedOver({ next, live, old: undefined })).toEqual(
    deployment('v1.40.7', pod, { image: 'mirror.example/operator:v1.40.7' }),
  );
});

test('without those files a mirror below a public registry stays too', () => {
  const live = deployment('v1.38.16', {}, { image: 'quay.io/acme/operator:v1.38.16' });
  expect(containerOf(carriedOver({ next, live, old: undefined }))).toMatchObject({
    image: 'quay.io/acme/operator:v1.40.7',
  });
});

test('the pull Secrets of the service account stay; roles are the release’s', () => {
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'tigera-operator' },
    imagePullSecrets: [],
  };
  const live = { ...account, imagePullSecrets: [{ name: 'pull' }] };
  expect(carriedOver({ next: account, live, old: account })).toEqual(live);
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'tigera-operator' },
  };
  const newRole = { ...role, rules: [{ verbs: ['get'] }] };
  expect(carriedOver({ next: newRole, live: { ...role, rules: [{ verbs: ['*'] }] }, old: role })).toEqual(newRole);
});
