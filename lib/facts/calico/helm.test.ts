import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { mask } from '#lib/text/index.ts';
import { collectFacts } from '../collect.ts';
import { standardCluster } from '../testing/sample-cluster.ts';
import { decodeHelmRelease } from './helm-release.ts';

const kinds = Object.values(resources).filter(({ group }) => !group.includes('openshift'));

function aRelease(revision: number, status: string, config: Record<string, unknown>, packed?: string): KubeObject {
  const release = {
    name: 'calico',
    namespace: 'tigera-operator',
    version: revision,
    info: { status },
    chart: { metadata: { name: 'tigera-operator', version: 'v3.31.4' }, templates: [] },
    config,
  };
  const data = packed ?? Buffer.from(gzipSync(JSON.stringify(release)).toString('base64')).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      namespace: 'tigera-operator',
      name: `sh.helm.release.v1.calico.v${revision}`,
      labels: { name: 'calico', owner: 'helm', status, version: String(revision) },
    },
    data: { release: data },
  };
}

const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'tigera-operator', name: 's' },
  data: { key: 'c2VjcmV0' },
};
const refused = [
  {
    verbs: ['*'],
    groups: ['*'],
    resources: [...new Set(kinds.map(({ plural }) => plural))].filter((plural) => plural !== 'secrets'),
  },
];

async function read(objects: KubeObject[], access?: typeof refused) {
  const kube = createStore({
    name: 'lab',
    source: 'live',
    kinds,
    objects: [...standardCluster(), ...objects],
    ...(access ? { access } : {}),
  });
  return collectFacts({ kube });
}

test('the newest revision of the release counts, and its values carry no secret', async () => {
  const values = {
    installation: {
      calicoNetwork: { linuxDataplane: 'Iptables' },
      registry: 'https://user:hunter2@registry.example.org/',
    },
    imagePullSecrets: { pull: 'e30=' },
    goldmane: { token: 'hunter2', enabled: true },
  };
  const facts = await read([aRelease(9, 'superseded', {}), aRelease(10, 'deployed', values), secret]);
  expect(facts.resources.helmReleases).toEqual([
    {
      name: 'calico',
      namespace: 'tigera-operator',
      chart: 'tigera-operator-v3.31.4',
      revision: 10,
      status: 'deployed',
      values: {
        installation: {
          calicoNetwork: { linuxDataplane: 'Iptables' },
          registry: `https://${mask('looks like a password')}@registry.example.org/`,
        },
        imagePullSecrets: { pull: mask('looks like a credential') },
        goldmane: { token: mask('looks like a token'), enabled: true },
      },
    },
  ]);
  expect(JSON.stringify(facts)).not.toMatch(/hunter2|c2VjcmV0|e30=/);
  expect(facts.coverage.helm.covered).toBe(true);
});

/** As HELM_DRIVER=configmap has it: the same names, labels and record, without the base64 of a Secret. */
function inConfigMap({ metadata, data }: KubeObject): KubeObject {
  const { release } = data as { release: string };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { release: Buffer.from(release, 'base64').toString('latin1') },
  };
}

const marked = () =>
  standardCluster().map((object) =>
    object.kind === 'Installation'
      ? {
          ...object,
          metadata: {
            ...object.metadata,
            annotations: { 'meta.helm.sh/release-name': 'calico', 'meta.helm.sh/release-namespace': 'tigera-operator' },
          },
        }
      : object,
  );

test('releases in ConfigMaps are read where Secrets hold none and Helm has marked what it made', async () => {
  const values = { installation: { enabled: true }, imagePullSecrets: { pull: 'e30=' } };
  const found = {
    name: 'calico',
    namespace: 'tigera-operator',
    chart: 'tigera-operator-v3.31.4',
    revision: 10,
    status: 'deployed',
    driver: 'configmap',
    values: { installation: { enabled: true }, imagePullSecrets: { pull: mask('looks like a credential') } },
  };
  const records = [inConfigMap(aRelease(9, 'superseded', {})), inConfigMap(aRelease(10, 'deployed', values))];
  const readFrom = (objects: KubeObject[], more: object = {}) =>
    collectFacts({ kube: createStore({ name: 'lab', source: 'live', kinds, objects, ...more }) });
  const facts = await readFrom([...marked(), ...records]);
  expect(facts.resources.helmReleases).toEqual([found]);
  expect(facts.coverage.helm).toEqual({ covered: true, missing: [] });
  expect(JSON.stringify(facts)).not.toContain('e30=');
  // Records in ConfigMaps may be forged by a user without rights on Secrets, so they must not replace Secrets that cannot be read.
  expect((await readFrom([...standardCluster(), ...records])).resources.helmReleases).toEqual([]);
  const unseen = await readFrom([...marked(), ...records], { access: refused });
  expect(unseen.resources.helmReleases).toMatchObject([{ revision: 0, status: 'unknown', values: null }]);
  expect(unseen.coverage.helm.covered).toBe(false);
  const both = await read([inConfigMap(aRelease(10, 'deployed', values)), aRelease(3, 'deployed', {})]);
  expect(both.resources.helmReleases).toMatchObject([{ revision: 3 }]);
});

test('each release is where its own helm was told to keep it: the operator’s in Secrets, that of the definitions in ConfigMaps', async () => {
  const ofDefinitions = inConfigMap(aRelease(3, 'deployed', {}, recordOf('crd.projectcalico.org.v1', 'v3.32.1', 3)));
  const metadata = {
    ...{ namespace: 'elsewhere', name: 'sh.helm.release.v1.kinds.v3' },
    labels: { name: 'kinds', owner: 'helm', status: 'deployed', version: '3' },
  };
  const objects = [...marked(), ofKinds(marks), aRelease(10, 'deployed', {}), { ...ofDefinitions, metadata }];
  const facts = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', kinds, objects }) });
  expect(facts.resources.helmReleases.map(({ name, revision, driver }) => [name, revision, driver])).toEqual([
    ['calico', 10, undefined],
    ['kinds', 3, 'configmap'],
  ]);
});

test('without Helm’s mark nobody need open a Secret', async () => {
  const facts = await read([], refused);
  expect(facts.resources.helmReleases).toEqual([]);
  expect(facts.coverage.helm.covered).toBe(true);
});

test('a marked installation whose Secrets are refused is known as Helm’s, with unknown values', async () => {
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: marked(), access: refused });
  const facts = await collectFacts({ kube });
  expect(facts.installation.method).toBe('helm');
  expect(facts.resources.helmReleases).toEqual([
    { name: 'calico', namespace: 'tigera-operator', chart: null, revision: 0, status: 'unknown', values: null },
  ]);
  expect(facts.coverage.helm.missing[0]).toMatchObject({
    kind: 'Secret',
    rule: { verb: 'list', resource: 'secrets', namespace: 'tigera-operator' },
  });
});

test.each([
  ['not base64', '%%%'],
  ['not gzip', Buffer.from('bm90IGd6aXA=').toString('base64')],
  ['a bomb', Buffer.from(gzipSync(Buffer.alloc(40 * 1024 * 1024)).toString('base64')).toString('base64')],
  ['not an object', Buffer.from(gzipSync('[1]').toString('base64')).toString('base64')],
])('a release that is %s', (_name, packed) => {
  expect(decodeHelmRelease(aRelease(1, 'deployed', {}, packed))).toBeNull();
});

const ofKinds = (annotations: Record<string, string>): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'installations.operator.tigera.io', annotations },
  spec: {},
});
const marks = { 'meta.helm.sh/release-name': 'kinds', 'meta.helm.sh/release-namespace': 'elsewhere' };

test('the release that holds the definitions is found by Helm’s marks on them, wherever it is, and told apart from the operator’s', async () => {
  const record = aRelease(3, 'deployed', {}, recordOf('crd.projectcalico.org.v1', 'v3.32.1', 3));
  const metadata = {
    ...{ namespace: 'elsewhere', name: 'sh.helm.release.v1.kinds.v3' },
    labels: { name: 'kinds', owner: 'helm', status: 'deployed', version: '3' },
  };
  const facts = await read([ofKinds(marks), { ...record, metadata }]);
  expect(facts.resources.helmReleases).toEqual([
    {
      ...{ name: 'kinds', namespace: 'elsewhere', chart: 'crd.projectcalico.org.v1-v3.32.1', revision: 3 },
      ...{ status: 'deployed', holds: 'definitions', values: {} },
    },
  ]);
});

test.each([
  ['that name no chart', {}, null],
  ['that name a chart of one’s own', { 'helm.sh/chart': 'platform-1.2.0' }, 'platform-1.2.0'],
])(
  'a release whose record is not there is known by its marks %s, and on definitions they make no operator',
  async (_what, labels, chart) => {
    const definition = ofKinds(marks);
    const facts = await read([{ ...definition, metadata: { ...definition.metadata, labels } }]);
    expect(facts.resources.helmReleases).toEqual([
      {
        ...{ name: 'kinds', namespace: 'elsewhere', chart, revision: 0, status: 'unknown' },
        ...{ holds: 'definitions', values: null },
      },
    ]);
    // A record that was looked for everywhere and does not exist does not count as unread.
    expect(facts.coverage.helm).toEqual({ covered: true, missing: [] });
  },
);

const operator = '---\nkind: Deployment\nmetadata:\n  name: tigera-operator\n';
const ourKind = '---\nkind: CustomResourceDefinition\nmetadata:\n  name: installations.operator.tigera.io\n';
const otherKind = '---\nkind: CustomResourceDefinition\nmetadata:\n  name: certificates.calico-like.example\n';

test.each([
  ['kinds', 'platform', `${otherKind}${ourKind}`, 'definitions'],
  [
    'kinds in a List',
    'platform',
    '---\nkind: List\nitems:\n- {kind: CustomResourceDefinition, metadata: {name: tiers.crd.projectcalico.org}}\n',
    'definitions',
  ],
  ['native kinds', 'platform', ourKind.replace('operator.tigera.io', 'projectcalico.org'), 'definitions'],
  ['kinds and the operator', 'platform', `${ourKind}${operator}`, 'operator'],
  ['kinds of others', 'platform', otherKind, undefined],
  [
    'a text that only names a kind',
    'platform',
    ourKind.replace('CustomResourceDefinition', 'CustomResourceDefinitionNote'),
    undefined,
  ],
  ['a text that is no YAML', 'platform', `${ourKind}  {`, undefined],
  ['the operator under its own chart', 'tigera-operator', `${ourKind}${operator}`, undefined],
])("a chart's contents are those that Helm recorded: %s", async (_what, chart, manifest, holds) => {
  const record = aRelease(3, 'deployed', {}, recordOf(chart, 'v1.2.0', 3, manifest));
  const metadata = {
    ...{ namespace: 'elsewhere', name: 'sh.helm.release.v1.kinds.v3' },
    labels: { name: 'kinds', owner: 'helm', status: 'deployed', version: '3' },
  };
  const facts = await read([ofKinds(marks), { ...record, metadata }]);
  expect(facts.resources.helmReleases.map((one) => [one.chart, one.holds])).toEqual([[`${chart}-v1.2.0`, holds]]);
});

function recordOf(name: string, version: string, revision: number, manifest = ''): string {
  const release = {
    name: 'kinds',
    version: revision,
    info: { status: 'deployed' },
    chart: { metadata: { name, version } },
    manifest,
  };
  return Buffer.from(gzipSync(JSON.stringify(release)).toString('base64')).toString('base64');
}
