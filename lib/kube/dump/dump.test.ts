import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { tgz } from '#lib/release/testing/small-release.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { type Dump, openDump } from './index.ts';

/** A dump of these files, by name. */
async function dumpOf(files: Record<string, string | Buffer>): Promise<Dump> {
  return openDump([folderOf(files)]);
}

function folderOf(files: Record<string, string | Buffer>): string {
  const folder = testFolder('dump');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function namesIn(dump: Dump, resource: Resource): Promise<string[]> {
  const names: string[] = [];
  for await (const { items } of dump.list(resource)) names.push(...items.map(({ metadata }) => metadata.name ?? ''));
  return names;
}

const node = (name: string) => `apiVersion: v1\nkind: Node\nmetadata:\n  name: ${name}\n`;

test('objects come from YAML with several documents, JSON, Lists and typed Lists whose items leave out their kind', async () => {
  const dump = await dumpOf({
    'two.yaml': `${node('a')}---\n${node('b')}---\n`,
    'list.json': JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'c' } }],
    }),
    'below/nodes.yml': 'apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: d}\n',
    'notes.txt': 'not: [yaml',
  });
  expect(await namesIn(dump, resources.nodes)).toEqual(['a', 'b', 'c', 'd']);
});

test('a kind is covered by an object, by an empty typed List, or by an empty List in a file named after it', async () => {
  const dump = await dumpOf({
    'pods.yaml': 'apiVersion: v1\nkind: PodList\nitems: []\n',
    'networkpolicies.yaml': 'apiVersion: v1\nkind: List\nitems: []\n',
    'tigerastatuses.json': '{"apiVersion":"v1","kind":"List","items":[]}',
    'node.yaml': node('a'),
  });
  const kinds = ['pods', 'networkPolicies', 'calicoNetworkPolicies', 'tigeraStatuses', 'nodes', 'services'] as const;
  expect(kinds.filter((kind) => dump.covered(resources[kind]))).toEqual([
    'pods',
    'networkPolicies',
    'tigeraStatuses',
    'nodes',
  ]);
  expect(await namesIn(dump, resources.pods)).toEqual([]);
});

test('a list of a kind that is not covered says so, and get finds nothing', async () => {
  const dump = await dumpOf({ 'node.yaml': node('a') });
  await expect(namesIn(dump, resources.services)).rejects.toMatchObject({ code: 'not-served' });
  expect(await dump.get({ resource: resources.services, namespace: 'x', name: 'y' })).toBeNull();
});

test('kinds of one name in two groups are two kinds', async () => {
  const dump = await dumpOf({
    'p.yaml': 'apiVersion: crd.projectcalico.org/v1\nkind: NetworkPolicy\nmetadata: {name: x, namespace: y}\n',
  });
  expect(dump.covered(resources.networkPolicies)).toBe(false);
  expect(await namesIn(dump, resources.calicoNetworkPolicies)).toEqual(['x']);
});

test('a Calico kind is found in either of its two groups', async () => {
  const dump = await dumpOf({
    'f.yaml': 'apiVersion: projectcalico.org/v3\nkind: FelixConfiguration\nmetadata: {name: default}\n',
  });
  expect(await namesIn(dump, resources.felixConfigurations)).toEqual(['default']);
  expect(await dump.get({ resource: resources.felixConfigurationsV3, name: 'default' })).toMatchObject({
    apiVersion: 'projectcalico.org/v3',
  });
});

test('only dry runs can write', async () => {
  const dump = await dumpOf({
    'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: kube-system}\ndata: {a: b}\n',
  });
  const ref = { resource: resources.configMaps, namespace: 'kube-system', name: 'c' };
  const patch = { type: 'merge', body: { data: { a: 'c' } } } as const;
  await expect(dump.patch(ref, patch)).rejects.toMatchObject({ code: 'unsupported' });
  expect(await dump.patch(ref, patch, { dryRun: 'all' })).toMatchObject({ data: { a: 'c' } });
  expect(await dump.get(ref)).toMatchObject({ data: { a: 'b' } });
});

test('dry runs also take objects without a resourceVersion, as kubectl neat prints them', async () => {
  const dump = await dumpOf({
    'f.yaml':
      'apiVersion: crd.projectcalico.org/v1\nkind: FelixConfiguration\nmetadata: {name: default}\nspec: {bpfEnabled: false}\n',
  });
  const ref = { resource: resources.felixConfigurations, name: 'default' };
  const patch = { type: 'merge', body: { spec: { bpfKubeProxyIptablesCleanupEnabled: false } } } as const;
  expect(await dump.patch(ref, patch, { dryRun: 'all' })).toMatchObject({ spec: patch.body.spec });
});

test('nothing readable is no error: nothing is covered', async () => {
  const dump = await dumpOf({ 'empty.yaml': '', 'comment.yaml': '# nothing\n', 'empty.json': '' });
  expect(dump.covered(resources.nodes)).toBe(false);
});

const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\nkind: Node\napiVersion: v1\nmetadata: {name: a}\n`;

test.each([
  ['bad.yaml', `${node('a')}---\nkind: [\n`, /bad\.yaml, line \d+: it is not YAML/],
  ['bad.json', '{\n  "kind": "Node",\n  oops\n}', /bad\.json, line 3: it is not JSON/],
  ['short.json', '{"kind": "Node"', /short\.json, line 1: it is not JSON/],
  ['values.yaml', 'replicas: 3\n', /values\.yaml, line 1: .*no kind/],
  ['text.yaml', 'hello\n', /text\.yaml, line 1: it holds no Kubernetes object/],
  [
    'nameless.yaml',
    `${node('a')}---\napiVersion: v1\nkind: Node\n`,
    /nameless\.yaml, line 6: this Node has no metadata\.name/,
  ],
  [
    'flag.yaml',
    `${node('a')}---\napiVersion: v1\nkind: Node\nmetadata: {name: --all}\n`,
    /flag\.yaml, line 6: the name or namespace of this Node begins with a hyphen/,
  ],
  [
    'flag.json',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"--server=http://evil.example"}}',
    /flag\.json, line 1: the name or namespace of this Pod begins with a hyphen/,
  ],
  ['bomb.yaml', bomb, /bomb\.yaml, line 1: its aliases cannot be expanded/],
  ['cycle.yaml', 'apiVersion: v1\nkind: Node\nmetadata: &m {name: a, self: *m}\n', /cycle\.yaml/],
  ['deep.json', `${'['.repeat(5000)}${']'.repeat(5000)}`, /deep\.json, line 1: it is nested deeper/],
  ['deep.yaml', `a: ${'['.repeat(50_000)}`, /deep\.yaml/],
  [
    'items.json',
    '{"apiVersion":"v1","kind":"List","items":[1]}',
    /items\.json, line 1: an item of this List is not an object/,
  ],
])('%s is refused and named', async (name, text, expected) => {
  const folder = folderOf({ [name]: text });
  await expect(openDump([folder])).rejects.toThrow(expected);
  await expect(openDump([folder])).rejects.toMatchObject({ name: 'InputError', file: join(folder, name) });
});

test('a path that is not there is named', async () => {
  await expect(openDump(['/nowhere/at-all'])).rejects.toThrow('/nowhere/at-all: there is no such file or folder');
});

test('an object whose metadata has a wrong shape keeps the rest', async () => {
  const dump = await dumpOf({
    'n.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: __proto__, labels: [1], annotations: {a: b}}\n',
  });
  expect(await dump.get({ resource: resources.nodes, name: '__proto__' })).toMatchObject({
    metadata: { annotations: { a: 'b' } },
  });
});

test('of a list that was cut what is there is told, and that something is not there is not', async () => {
  const item = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
  const rest = { metadata: { continue: 'abc', remainingItemCount: 2 } };
  const dump = await dumpOf({
    'nodes.json': JSON.stringify({ apiVersion: 'v1', kind: 'NodeList', ...rest, items: [item] }),
    'pods.json': JSON.stringify({ apiVersion: 'v1', kind: 'PodList', ...rest, items: [] }),
    'services.json': JSON.stringify({ apiVersion: 'v1', kind: 'ServiceList', metadata: { continue: '' }, items: [] }),
  });
  const seen: string[] = [];
  const reading = async () => {
    for await (const { items } of dump.list(resources.nodes))
      seen.push(...items.map(({ metadata }) => metadata.name ?? ''));
  };
  await expect(reading()).rejects.toMatchObject({
    code: 'protocol',
    message: expect.stringContaining('beyond the first page'),
  });
  expect(seen).toEqual(['a']);
  expect(await dump.get({ resource: resources.nodes, name: 'a' })).toMatchObject(item);
  await expect(dump.get({ resource: resources.nodes, name: 'b' })).rejects.toMatchObject({ code: 'protocol' });
  await expect(namesIn(dump, resources.pods)).rejects.toMatchObject({ code: 'protocol' });
  expect(await namesIn(dump, resources.services)).toEqual([]);
});

type Small = Record<string, unknown> & { kind: string; of: string };
const small = ({ kind, of, labels, owner, ...more }: Small) => {
  const [namespace, name] = of.split('/');
  const apiVersion = /Set$|^Deployment$/.test(kind)
    ? 'apps/v1'
    : kind === 'TigeraStatus'
      ? 'operator.tigera.io/v1'
      : 'v1';
  const ownerReferences = owner ? [{ apiVersion: 'apps/v1', kind: owner, name: 'x', controller: true, uid: 'u' }] : [];
  const metadata = name === undefined ? { name: of, labels } : { namespace, name, labels, ownerReferences };
  return { apiVersion, kind, metadata, ...more };
};
const agents = { kind: 'DaemonSet', of: 'calico-system/calico-node', status: { numberReady: 3 } };
const dns = { kind: 'Pod', of: 'kube-system/coredns-1', owner: 'ReplicaSet', labels: { 'pod-template-hash': '1' } };
const operator = { kind: 'Deployment', of: 'tigera-operator/tigera-operator' };
const eksNode = (of: string, type: string) => ({
  kind: 'Node',
  of,
  labels: { 'eks.amazonaws.com/compute-type': type },
});
const calico = { conditions: [{ type: 'Available', status: 'True' }] };

test.each<[string, string, Small[], RegExp | null]>([
  [
    'pods of one namespace, where an agent runs elsewhere',
    'pods',
    [agents, dns],
    /no Pod .*of calico-system, where Daem/,
  ],
  ['pods of two', 'pods', [agents, dns, { kind: 'Pod', of: 'web/shop' }], null],
  [
    'pods of one namespace, and no DaemonSet that runs elsewhere',
    'pods',
    [{ ...agents, status: { numberReady: 0 } }, dns],
    null,
  ],
  ['pods of no system', 'pods', [{ kind: 'Pod', of: 'web/shop' }], /of kube-system or of Calico/],
  ['pods of no system on EKS Auto Mode', 'pods', [eksNode('i-1', 'auto'), { kind: 'Pod', of: 'web/shop' }], null],
  [
    'pods of no system where one node is not of Auto Mode',
    'pods',
    [eksNode('i-1', 'auto'), eksNode('i-2', 'ec2'), { kind: 'Pod', of: 'web/shop' }],
    /of kube-system or of Calico/,
  ],
  [
    'Deployments without that of a pod',
    'deployments',
    [operator, dns],
    /of kube-system, where Pod kube-system\/coredns-1/,
  ],
  [
    'a pod of a ReplicaSet of its own',
    'deployments',
    [operator, { kind: 'Pod', of: 'kube-system/x', owner: 'ReplicaSet' }],
    null,
  ],
  [
    'StatefulSets without that of a pod',
    'statefulSets',
    [
      { kind: 'StatefulSet', of: 'web/db' },
      { kind: 'Pod', of: 'kube-system/etcd-0', owner: 'StatefulSet' },
    ],
    /of kube-system/,
  ],
  [
    "Deployments without Calico's, where the operator says that it is there",
    'deployments',
    [operator, { kind: 'TigeraStatus', of: 'calico', status: calico }],
    /of calico-system/,
  ],
  ['Deployments of one namespace on a cluster without Calico', 'deployments', [operator], null],
  ['no other Service than the first', 'services', [{ kind: 'Service', of: 'default/kubernetes' }], null],
  [
    'no Service of the DNS that runs',
    'services',
    [
      { kind: 'Service', of: 'default/kubernetes' },
      { ...dns, labels: { 'k8s-app': 'kube-dns' } },
    ],
    /of kube-system/,
  ],
  ['Services without the first', 'services', [{ kind: 'Service', of: 'web/shop' }], /default\/kubernetes/],
  [
    'ConfigMaps of one namespace',
    'configMaps',
    [
      { kind: 'ConfigMap', of: 'kube-system/kube-proxy' },
      { kind: 'ConfigMap', of: 'kube-system/kube-root-ca.crt' },
    ],
    /outside of kube-system/,
  ],
  ['some ConfigMaps by name', 'configMaps', [{ kind: 'ConfigMap', of: 'kube-system/kube-proxy' }], null],
])('%s: what the dump itself shows of its list', async (_name, kind, objects, expected) => {
  const files = Object.fromEntries(objects.map((one, index) => [`${index}.json`, JSON.stringify(small(one))]));
  const read = async () => namesIn(await dumpOf(files), resources[kind as keyof typeof resources]);
  if (expected === null) await read();
  else await expect(read()).rejects.toMatchObject({ code: 'protocol', message: expect.stringMatching(expected) });
});

test('a List that answers for one namespace is one of it in all its kinds, and tells of that namespace what is not there', async () => {
  const objects: Small[] = [
    { kind: 'Pod', of: 'web/shop' },
    { kind: 'Deployment', of: 'web/shop' },
  ];
  const one = { apiVersion: 'v1', kind: 'List', items: objects.map(small) };
  const part = await dumpOf({ 'web.json': JSON.stringify(one) });
  const shop = (namespace: string) => part.get({ resource: resources.deployments, namespace, name: 'other' });
  expect(await shop('web')).toBeNull();
  await expect(shop('kube-system')).rejects.toMatchObject({ detail: { lacks: expect.stringContaining('outside of') } });
  // Of lists that were asked for one by one, the one says nothing of the other.
  const apart = await dumpOf(Object.fromEntries(objects.map((each, i) => [`${i}.json`, JSON.stringify(small(each))])));
  expect(await namesIn(apart, resources.deployments)).toEqual(['shop']);
});

test.each([
  ['the system and one namespace', ['kube-system', 'default'], /outside of default and kube-system/],
  ['all', ['kube-system', 'default', 'kube-public', 'kube-node-lease'], null],
])('kubectl cluster-info dump of %s', async (_name, namespaces, expected) => {
  const files = namespaces.flatMap((namespace) => [
    [`${namespace}/replication-controllers.json`, '{"apiVersion":"v1","kind":"ReplicationControllerList","items":[]}'],
    [`${namespace}/deployments.json`, '{"apiVersion":"apps/v1","kind":"DeploymentList","items":[]}'],
  ]);
  const dump = await dumpOf(Object.fromEntries(files));
  const get = (namespace: string) => dump.get({ resource: resources.deployments, namespace, name: 'x' });
  if (expected === null) expect(await namesIn(dump, resources.deployments)).toEqual([]);
  else await expect(namesIn(dump, resources.deployments)).rejects.toThrow(expected);
  expect(await get('kube-system')).toBeNull();
});

test('what signalbox dump recorded as whole is whole', async () => {
  const kind = {
    apiVersion: 'v1',
    kind: 'Service',
    resource: 'services',
    file: 's.json',
    objects: 1,
    state: 'complete',
  };
  const record = {
    ...{ apiVersion: 'signalbox.dev/v1', kind: 'Dump', metadata: { name: 'lab', creationTimestamp: '' } },
    ...{ signalboxVersion: '1', kubernetesVersion: null, server: null, apis: null },
    ...{ redacted: false, complete: true, kinds: [kind], leftOut: [] },
  };
  const dump = await dumpOf({
    's.json': JSON.stringify(small({ kind: 'Service', of: 'web/shop' })),
    'signalbox-dump.json': JSON.stringify(record),
  });
  expect(await namesIn(dump, resources.services)).toEqual(['shop']);
});

test('answers of the API server that are no objects tell its groups and its version', async () => {
  const groups = [{ name: 'apps', versions: [] }, { name: 'projectcalico.org' }];
  const dump = await dumpOf({
    'apis.json': JSON.stringify({ kind: 'APIGroupList', apiVersion: 'v1', groups }),
    'apps.json': '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[]}',
    'api.json': '{"kind":"APIVersions","versions":["v1"]}',
    'version.yaml': 'clientVersion: {gitVersion: v1.36.0}\nserverVersion:\n  gitVersion: v1.34.1\n',
  });
  expect(await dump.version()).toBe('v1.34.1');
  expect((await dump.discover()).groups).toEqual(['', 'apps', 'projectcalico.org']);
  // Of a group that is not served there are no objects; whether there are some of another the groups do not say.
  const kinds = ['tigeraStatuses', 'openshiftNetworkConfigs', 'daemonSets', 'pods', 'felixConfigurations'] as const;
  expect(kinds.filter((kind) => dump.covered(resources[kind]))).toEqual(['tigeraStatuses', 'openshiftNetworkConfigs']);
});

test.each([
  '{"gitVersion": "v1.34.1+k3s1", "major": "1"}',
  'serverVersion: {gitVersion: v1.34.1+k3s1}\nclientVersion: {}',
])('a version as kubectl prints it: %s', async (text) =>
  expect(await (await dumpOf({ 'version.yaml': text })).version()).toBe('v1.34.1+k3s1'),
);

test.each([
  ['UTF-16 of PowerShell', Buffer.from(`\uFEFF${node('ä')}`, 'utf16le')],
  ['UTF-16, the other byte first', Buffer.from(`\uFEFF${node('ä')}`, 'utf16le').swap16()],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${node('ä')}`)],
])('%s is read', async (_name, bytes) => {
  expect(await namesIn(await dumpOf({ 'nodes.yaml': bytes }), resources.nodes)).toEqual(['ä']);
  const json = Buffer.from(`\uFEFF{"kind":"Node","apiVersion":"v1","metadata":{"name":"b"}}`, 'utf16le');
  expect(await namesIn(await dumpOf({ 'nodes.json': json }), resources.nodes)).toEqual(['b']);
});

test('a definition that is not named after its kind hides no object of it', async () => {
  const name = 'installations.operator.tigera.io';
  const spec = {
    group: 'operator.tigera.io',
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true, storage: true }],
  };
  const items = [
    { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' } },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: { ...spec, names: { kind: 'Installation', plural: ' ' } },
    },
  ];
  const dump = await dumpOf({ 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  expect(await namesIn(dump, resources.installations)).toEqual(['default']);
  expect(await dump.get({ resource: resources.installations, name: 'default' })).not.toBeNull();
});

test('an archive is read as the folder that it was, and what is no whole one is named', async () => {
  const archive = await tgz([
    { name: 'd/', type: 'directory' },
    { name: 'd/nodes.yaml', text: node('a') },
    { name: '../../networkpolicies.json', text: '{"apiVersion":"v1","kind":"List","items":[]}' },
    { name: 'd/notes.txt', text: 'not: [yaml' },
    { name: 'd/link.yaml', type: 'symlink', linkname: '/etc/passwd' },
  ]);
  const folder = folderOf({});
  const at = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const dump = await openDump([at('whole.tgz', archive)]);
  expect(await namesIn(dump, resources.nodes)).toEqual(['a']);
  expect(dump.covered(resources.networkPolicies)).toBe(true);

  const half = at('half.tar.gz', archive.subarray(0, archive.length / 2));
  await expect(openDump([half])).rejects.toThrow(/half\.tar\.gz: it is not a complete gzipped tar/);
  await expect(openDump([at('text.tgz', Buffer.from(node('a')))])).rejects.toMatchObject({ name: 'InputError' });
  const broken = at('broken.tgz', await tgz([{ name: 'd/x.yaml', text: 'kind: [\n' }]));
  await expect(openDump([broken])).rejects.toThrow(/broken\.tgz\/d\/x\.yaml, line \d+: it is not YAML/);
});

/** A header and what stands behind it, to whole blocks. */
function block(name: string, type: string, size: number, content = ''): Buffer {
  const head = Buffer.alloc(512);
  head.write(name);
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  head.fill(' ', 148, 156);
  head.write(`${type}`, 156);
  head.write('ustar\0'.concat('00'), 257);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([head, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
const globalHeader = (length: number) =>
  block('g', 'g', length, `${length} comment=${'x'.repeat(length)}`.slice(0, length));

test.each([
  ['a file that is too large', [block('nodes.json', '0', 451 * 1024 ** 2)], /nodes\.json: it has 451 MiB/],
  ['a long global header', [globalHeader(1025)], /global header/],
  ['very many files', Array<Buffer>(50_001).fill(block('x', '0', 0)), /more than 50000 files/],
])('an archive with %s is refused before it is read', async (_name, blocks, expected) => {
  const folder = folderOf({ 'a.tgz': gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])) });
  await expect(openDump([join(folder, 'a.tgz')])).rejects.toThrow(expected);
});

test('an archive of git, of macOS and of PowerShell is read', async () => {
  const files = await tgz([{ name: 'd/._nodes.json', text: '\0\u0005' }]);
  const utf16 = block('nodes.yaml', '0', 0);
  const text = Buffer.from(`\uFEFF${node('ä')}`, 'utf16le');
  const head = block('nodes.yaml', '0', text.length);
  const filled = Buffer.concat([text, Buffer.alloc((512 - (text.length % 512)) % 512)]);
  const folder = folderOf({
    'a.tgz': gzipSync(Buffer.concat([globalHeader(52), utf16, head, filled, Buffer.alloc(1024)])),
    'b.tgz': files,
  });
  const dump = await openDump([join(folder, 'a.tgz'), join(folder, 'b.tgz')]);
  expect(await namesIn(dump, resources.nodes)).toEqual(['ä']);
});

test('a record of a dump that is none is refused', async () => {
  const record = { apiVersion: 'signalbox.dev/v1', kind: 'Dump', metadata: { name: 'x' }, kinds: 3 };
  await expect(dumpOf({ 'signalbox-dump.json': JSON.stringify(record) })).rejects.toThrow(/not a record of a dump/);
});
