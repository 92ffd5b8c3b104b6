import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { collectFacts, readKinds } from '#lib/facts/index.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, KubeError, type KubeObject, openDump, type Store } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type DumpOptions, dumpCluster } from './dump-cluster.ts';

let folder = '';
beforeEach(() => {
  folder = testFolder('dump');
});

const object = (apiVersion: string, kind: string, name: string, more: object = {}, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const env = [
  { name: 'MODE', value: 'very-private' },
  { name: 'FROM', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
];
const pod = (namespace: string) =>
  object('v1', 'Pod', 'a', { spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', env }] } }, namespace);

const objects = [
  object('v1', 'Node', 'n'),
  object('v1', 'Namespace', 'shop'),
  pod('shop'),
  pod('kube-system'),
  object('v1', 'Secret', 's', { data: { password: 'c2VjcmV0LXZhbHVl' } }, 'shop'),
  // HELM_DRIVER=configmap: the values of a release, packed.
  object(
    'v1',
    'ConfigMap',
    'sh.helm.release.v1.calico.v1',
    { data: { release: 'c2VjcmV0LXZhbHVl' } },
    'tigera-operator',
  ),
  object('v1', 'ConfigMap', 'settings', { data: { colour: 'very-private' } }, 'shop'),
  object('v1', 'ConfigMap', 'kube-proxy', { data: { 'config.conf': 'mode: ipvs\n' } }, 'kube-system'),
  object('crd.projectcalico.org/v1', 'IPPool', 'p', { spec: { cidr: '10.0.0.0/8' } }),
];

function aCluster(): Store {
  const kinds = Object.values(resources).filter(({ group }) => !/openshift|^projectcalico|policy\.net/.test(group));
  return createStore({ name: 'lab', source: 'live', version: 'v1.34.1', kinds, objects });
}

function dump(more: Partial<DumpOptions> = {}) {
  return dumpCluster({
    kube: aCluster(),
    path: join(folder, 'd'),
    detail: 'whole',
    signalboxVersion: 'v0.1.0',
    now: '2026-11-22T00:00:00.000Z',
    signal: new AbortController().signal,
    ...more,
  });
}

/** Everything that was written, as one text. */
const written = (name = 'd') =>
  readdirSync(join(folder, name))
    .map((file) => readFileSync(join(folder, name, file), 'utf8'))
    .join('\n');

const refusing = (...plurals: string[]) => {
  const kube = aCluster();
  kube.intercept(async ({ verb, group = '', resource = '', name }, proceed) => {
    const isList = name === undefined;
    if (plurals.includes(isList ? resource : `${resource}/${name}`))
      throw new KubeError('forbidden', `You may not ${verb} ${resource}.`, {
        status: 403,
        rule: { verb, group, resource },
      });
    await proceed();
  });
  return kube;
};

test('a folder and an archive hold the same, for their owner only, and no Secret', async () => {
  const kube = aCluster();
  await dump({ kube });
  await dump({ kube, path: join(folder, 'd.tgz') });
  const modes = readdirSync(join(folder, 'd')).map((file) => statSync(join(folder, 'd', file)).mode & 0o777);
  expect([...new Set(modes)]).toEqual([0o600]);
  expect(statSync(join(folder, 'd')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'd.tgz')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['d', 'd.tgz']);
  expect(written()).not.toContain('c2VjcmV0LXZhbHVl');

  const [one, other] = await Promise.all(
    ['d', 'd.tgz'].map(async (name) => {
      const facts = await collectFacts({ kube: await openDump([join(folder, name)]) });
      return { ...facts, observedAt: '', cluster: null };
    }),
  );
  expect(one).toEqual(other);
});

test('a kind that is not served has an empty list, and what serves it keeps its name', async () => {
  const { kinds, complete, kubernetesVersion } = await dump();
  expect({ complete, kubernetesVersion }).toEqual({ complete: true, kubernetesVersion: 'v1.34.1' });
  expect(kinds.find(({ kind }) => kind === 'AdminNetworkPolicy')?.state).toBe('not-served');
  expect(kinds.find(({ kind }) => kind === 'IPPool')).toMatchObject({
    apiVersion: 'crd.projectcalico.org/v1',
    objects: 1,
  });
  const read = await openDump([join(folder, 'd')]);
  expect(read.covered(resources.adminNetworkPolicies)).toBe(true);
  expect(await read.version()).toBe('v1.34.1');
  const facts = await collectFacts({ kube: read });
  expect(facts.coverage.helm.missing.map(({ because }) => because)).toEqual([]);
});

test('what may not be read is recorded with its rule, what may be read of it by name is there, and a reader knows the rest is missing', async () => {
  const { kinds, complete } = await dump({ kube: refusing('nodes', 'daemonsets', 'configmaps') });
  expect(complete).toBe(false);
  const rule = { verb: 'list', group: '', resource: 'nodes' };
  expect(kinds.find(({ kind }) => kind === 'Node')).toMatchObject({ state: 'refused', objects: 0, rule });
  expect(kinds.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({ state: 'partial', objects: 1 });
  expect(written()).not.toContain('settings');

  const kube = await openDump([join(folder, 'd')]);
  const get = (name: string) => kube.get({ resource: resources.configMaps, namespace: 'kube-system', name });
  expect(await get('kube-proxy')).toMatchObject({ data: { 'config.conf': 'mode: ipvs\n' } });
  // It was asked for by name and is not there; nothing is known of any other object.
  expect(await get('kubeadm-config')).toBeNull();
  await expect(get('settings')).rejects.toMatchObject({ code: 'forbidden' });
  const facts = await collectFacts({ kube });
  expect(facts.coverage.nodes).toEqual({
    covered: false,
    missing: [{ kind: 'Node', because: 'You may not list nodes.', rule }],
  });
  // The proxy's DaemonSet is not there by its name, and that is known.
  expect(facts.coverage.workloads.covered).toBe(false);
});

test('where only lists of one namespace may be read, these are whole and the rest is not known', async () => {
  const kube = aCluster();
  const rule = { verb: 'list', group: '', resource: 'pods' };
  kube.intercept(async ({ verb, resource, namespace, name }, proceed) => {
    if (verb === 'list' && resource === 'pods' && name === undefined && namespace === undefined)
      throw new KubeError('forbidden', 'You may not list pods.', { status: 403, rule });
    await proceed();
  });
  const { kinds } = await dump({ kube });
  const pods = { state: 'partial', objects: 1, namespaces: ['kube-system'], rule };
  expect(kinds.find(({ kind }) => kind === 'Pod')).toMatchObject(pods);
  const read = await openDump([join(folder, 'd')]);
  const get = (namespace: string, name: string) => read.get({ resource: resources.pods, namespace, name });
  expect(await get('kube-system', 'a')).toMatchObject({ metadata: { name: 'a' } });
  expect(await get('kube-system', 'other')).toBeNull();
  await expect(get('shop', 'a')).rejects.toMatchObject({ code: 'forbidden' });
  const facts = await collectFacts({ kube: read });
  expect(facts.coverage.hostPorts.covered).toBe(false);
});

test('a kind whose API does not answer is not one of which there are none', async () => {
  const kube = aCluster();
  const failing = [{ groupVersion: 'policy.networking.k8s.io/v1alpha1', because: 'no endpoints' }];
  const discover = async () => ({ ...(await kube.discover()), failing });
  const { kinds, apis } = await dump({ kube: { ...kube, discover } });
  expect(apis).toMatchObject({ groups: expect.arrayContaining(['', 'apps', 'policy.networking.k8s.io']), failing });
  expect(kinds.find(({ kind }) => kind === 'AdminNetworkPolicy')).toMatchObject({ state: 'refused' });
  const read = await openDump([join(folder, 'd')]);
  expect(read.covered(resources.adminNetworkPolicies)).toBe(false);
  expect(await read.discover()).toMatchObject({ failing });
});

test('a list that breaks off is told as its first part', async () => {
  const kube = aCluster();
  kube.intercept(async ({ verb, resource }, proceed) => {
    await proceed();
    if (verb === 'list' && resource === 'services') throw new KubeError('timeout', 'No answer within 30 s.');
  });
  const { kinds } = await dump({ kube });
  expect(kinds.find(({ kind }) => kind === 'Service')).toMatchObject({ because: 'No answer within 30 s.' });
  const facts = await collectFacts({ kube: await openDump([join(folder, 'd')]) });
  expect(facts.coverage.serviceCount).toEqual({
    covered: false,
    missing: [{ kind: 'Service', because: 'No answer within 30 s.' }],
  });
});

test.each([
  ['unreachable', new KubeError('unreachable', 'Connection refused.')],
  ['forbidden', new KubeError('forbidden', 'You may not.', { status: 403 })],
])('where everything is %s nothing is written', async (code, error) => {
  const kube = aCluster();
  kube.intercept(async () => {
    throw error;
  });
  await expect(dump({ kube })).rejects.toMatchObject({ code });
  expect(readdirSync(folder)).toEqual([]);
});

test('an interruption leaves nothing behind', async () => {
  const stop = new AbortController();
  const kube = aCluster();
  kube.intercept(async ({ resource }, proceed) => {
    await proceed();
    if (resource === 'services') stop.abort(new Error('SIGINT'));
  });
  await expect(dump({ kube, signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' });
  await expect(dump({ kube, signal: stop.signal, path: join(folder, 'd.tgz') })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['d', 'd.tgz', 'd.json'])('nothing is overwritten: %s', async (name) => {
  const path = join(folder, name);
  if (name === 'd') {
    mkdirSync(path);
    writeFileSync(join(path, 'kept'), 'x');
  } else writeFileSync(path, 'x');
  await expect(dump({ path })).rejects.toMatchObject({ name: 'InputError' });
  expect(readdirSync(folder)).toEqual([name]);
  expect(readFileSync(name === 'd' ? join(path, 'kept') : path, 'utf8')).toBe('x');
});

test('redacted: what no check reads and what looks like a credential is masked; names and addresses stay', async () => {
  const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"a":"very-private"}' };
  const kube = aCluster();
  await kube.create(resources.services, {
    ...object('v1', 'Service', 'web', { spec: { clusterIP: '10.96.0.9', ports: [{ port: 80 }] } }, 'shop'),
    metadata: { name: 'web', namespace: 'shop', annotations: lastApplied },
  });
  await dump({ kube, detail: 'redacted' });
  const text = written();
  const pods = readFileSync(join(folder, 'd', 'pods.json'), 'utf8');
  expect(text.replace(/.*"namespace":"kube-system".*/g, '')).not.toContain('very-private');
  expect(pods).toContain('very-private');
  expect(pods).toContain('status.podIP');
  expect(text).toContain('"config.conf":"mode: ipvs\\n"');
  expect(text).toContain('"colour":"‹masked: left out of the dump›"');
  expect(text).toContain('10.96.0.9');
  expect(text).not.toContain('"name": "lab"');
});

test('redacted: env of a namespace of everybody is masked, though a Service in it is read by its name', async () => {
  const kube = aCluster();
  await kube.create(resources.namespaces, object('v1', 'Namespace', 'default'));
  await kube.create(resources.pods, pod('default'));
  await dump({ kube, detail: 'redacted' });
  expect(written().replace(/.*"namespace":"kube-system".*/g, '')).not.toContain('very-private');
});

test.each([
  ['kapp.k14s.io/original', '{"data":{"a":"very-private"}}', 'masked'],
  ['kopf.zalando.org/last-handled-configuration', '{"spec":{}}\n', 'masked'],
  ['objectset.rio.cattle.io/applied', 'H4sIAAAA', 'masked'],
  ['banzaicloud.com/last-applied', 'UEsDB', 'masked'],
  ['k3s.io/node-args', '["server"]', 'kept'],
  ['sidecar.istio.io/status', '{"containers":["dikastes"]}', 'kept'],
  ['example.com/note', '{not JSON', 'kept'],
])('redacted: the annotation %s %s is %s', async (name, value, fate) => {
  const kube = aCluster();
  await kube.create(resources.nodes, {
    ...object('v1', 'Node', 'm'),
    metadata: { name: 'm', annotations: { [name]: value } },
  });
  await dump({ kube, detail: 'redacted' });
  expect(written().includes(JSON.stringify(value))).toBe(fate === 'kept');
  expect(written()).toContain(name);
});

test('of objects that tell other tools what to write a dump holds what pauses them, and no manifest', async () => {
  const sources = readKinds().filter(({ rules }) =>
    rules.every(({ verb, name }) => verb === 'get' && name === undefined),
  );
  expect(sources).toHaveLength(4);
  const kube = aCluster();
  await kube.create(resources.namespaces, object('v1', 'Namespace', 'argocd'));
  const annotations = {
    'argocd.argoproj.io/skip-reconcile': 'true',
    'kubectl.kubernetes.io/last-applied-configuration': '{"a":"very-secret"}',
  };
  const spec = {
    ...{ suspend: true, paused: false, syncPolicy: { automated: { enabled: false } } },
    ...{ values: { a: 'very-secret' }, resources: [{ content: 'very-secret' }] },
  };
  for (const resource of sources.flatMap(({ resources: [first] }) => first ?? [])) {
    const { group, version, kind } = resource;
    const status = { summary: 'very-secret' };
    const metadata = { name: 'x', namespace: 'argocd', annotations };
    await kube.create(resource, { apiVersion: `${group}/${version}`, kind, metadata, spec, status });
    await dump({ kube, path: join(folder, kind) });
    const text = readFileSync(join(folder, kind, `${resource.plural}.${group}.json`), 'utf8');
    expect(text).not.toContain('very-secret');
    expect(JSON.parse(text).items[0]).toMatchObject({
      metadata: { annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
      spec: { suspend: true, paused: false, syncPolicy: { automated: { enabled: false } } },
    });
  }
});

test('a version that may not be asked, or is not answered, is unknown; the dump is made', async () => {
  const kube = aCluster();
  const version = async () => {
    throw new KubeError('forbidden', 'You may not get /version.', { status: 403 });
  };
  expect(await dump({ kube: { ...kube, version } })).toMatchObject({ kubernetesVersion: null, complete: true });
});

test('an API that goes away between two pages leaves a partial list', async () => {
  const kube = aCluster();
  const list: typeof kube.list = async function* (resource, options) {
    yield* kube.list(resource, options);
    if (resource === resources.services) throw new KubeError('not-served', 'It is gone.', { status: 404 });
  };
  const { kinds } = await dump({ kube: { ...kube, list } });
  expect(kinds.find(({ kind }) => kind === 'Service')).toMatchObject({ state: 'partial', because: 'It is gone.' });
});

test.each(['.tgz', '.tar.gz'])('a place that is only an ending is refused: %s', async (name) => {
  await expect(dump({ path: join(folder, name) })).rejects.toMatchObject({ name: 'InputError' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a dump that the disk cannot hold is refused in a sentence, and nothing of it stays', () => {
  // A write that exceeds the limit fails only after it wrote what fits: here one list, and an archive of lists that fit one by one.
  const script = `
    import { randomBytes } from 'node:crypto';
    import { openDumpWriter } from '#lib/kube/index.ts';
    import { resources } from '#lib/spec/index.ts';
    const { nodes, pods, services } = resources;
    for (const [name, size, kinds] of [['d', 30_000, [nodes]], ['d.tgz', 15_000, [nodes, pods, services]]]) {
      const writer = await openDumpWriter(process.argv[1] + '/' + name);
      try {
        for (const kind of kinds) {
          const list = await writer.list(kind);
          await list.add([{ metadata: { name: randomBytes(size).toString('base64') } }]);
          await list.end('all');
        }
        await writer.finish({});
        console.log('finished');
      } catch (error) {
        console.log(error.name, error.message);
      } finally {
        await writer.discard();
      }
    }`;
  const limited = `trap '' XFSZ; ulimit -f 24; exec "$0" --input-type=module-typescript -e "$@"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', limited, process.execPath, script, folder], { encoding: 'utf8' });
  const refused = (name: string) => `InputError ${join(folder, name)}: it cannot be written (EFBIG)`;
  expect(stdout.split('\n'), stderr).toEqual([refused('d'), refused('d.tgz'), '']);
  expect(readdirSync(folder)).toEqual([]);
});
