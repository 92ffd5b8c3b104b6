import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, choicesSchema, type ManifestObject, type ReleaseContents } from '#lib/spec/index.ts';
import { mask } from '#lib/text/index.ts';
import { makePlan } from '../make-plan.ts';
import { parsePlan } from '../parse-plan.ts';
import type { Plan } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { planAsShell } from '../shell/plan-as-shell.ts';
import { aCluster, outline, someFindings } from '../testing/a-cluster.ts';

const sha256 = 'a'.repeat(64);
const object = (
  apiVersion: string,
  kind: string,
  name: string,
  more: object = {},
  namespace?: string,
): ManifestObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const definition = (name: string) => object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', name);
const operator = object(
  'apps/v1',
  'Deployment',
  'tigera-operator',
  {
    spec: {
      template: { spec: { containers: [{ name: 'tigera-operator', image: 'quay.io/tigera/operator:v1.40.7' }] } },
    },
  },
  'tigera-operator',
);

function aRelease(version = 'v3.31.4'): ReleaseContents {
  const files: Record<string, ManifestObject[]> = {
    'operator-crds.yaml': [definition('installations.operator.tigera.io')],
    'tigera-operator.yaml': [object('v1', 'Namespace', 'tigera-operator'), operator],
    'custom-resources.yaml': [object('operator.tigera.io/v1', 'Installation', 'default', { spec: {} })],
  };
  const manifests = Object.entries(files).map(([file, objects]) => [file, { version, file, sha256, objects }]);
  return { version, operator: 'v1.40.7', source: 'a test', manifests: Object.fromEntries(manifests) };
}

/** The cluster of the other tests without Calico. */
function anEmptyCluster(): Facts {
  const facts = aCluster();
  const ours = /^(Installation|FelixConfiguration|APIServer)\//;
  const entries = Object.entries(facts.resources.objects).map(
    ([id, found]) => [id, ours.test(id) || /calico-|tigera-operator/.test(id) ? null : found] as const,
  );
  const absent = ['Installation/default', 'FelixConfiguration/default', 'tigera-operator/Deployment/tigera-operator'];
  return {
    ...facts,
    installation: {
      ...facts.installation,
      method: 'none',
      version: null,
      operatorVersion: null,
      datastore: null,
      cni: null,
      namespace: null,
      dataplane: { wanted: null, actual: 'unknown' },
    },
    endpoint: { ...facts.endpoint, configMap: null, inUse: [] },
    resources: {
      ...facts.resources,
      objects: { ...Object.fromEntries(entries), ...Object.fromEntries(absent.map((id) => [id, null])) },
    },
  };
}

const endpoint = { host: '10.0.0.100', port: '6443' };

function install(
  given: Partial<Choices> = {},
  release: ReleaseContents | null = aRelease(),
  facts = anEmptyCluster(),
): Plan {
  const choices = choicesSchema.parse({ goal: 'install', endpoint, ...given });
  return makePlan({
    facts,
    choices,
    findings: someFindings({ goal: 'install' }),
    now: '2026-11-21T10:00:01.000Z',
    release,
  });
}

test('a kubeadm cluster gets the journey of operations.md, in its order', () => {
  expect(outline(install({ dsr: true, forgetKubeadmProxy: true }))).toEqual([
    'snapshot',
    'namespace',
    'endpoint.configmap',
    'crds',
    'operator.apply',
    'felix.options',
    'felix.cleanup-flag',
    'custom-resources',
    'endpoint.active',
    'installation.available',
    'bpf.active',
    'endpoint.active',
    'proxy.disable.daemonset',
    'felix.cleanup-restore',
    'proxy.forget-kubeadm',
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
});

test('a proxy in IPVS mode: the fix that was chosen is a plan of its own, and nothing is installed beside it', () => {
  const facts = anEmptyCluster();
  const ipvs: Facts = { ...facts, proxy: { ...facts.proxy, mode: 'ipvs' } };
  expect(outline(install({ fix: ['proxy.not-ipvs'] }, aRelease(), ipvs))).toEqual([
    'snapshot',
    'proxy.ipvs-to-iptables',
  ]);
  expect(outline(install({ fix: ['proxy.not-ipvs'], dataplane: 'Iptables' }, aRelease(), ipvs))).not.toContain(
    'proxy.ipvs-to-iptables',
  );
});

test('cluster DNS is left to NodeLocal DNSCache before eBPF is there', () => {
  const ids = outline(install({ fix: ['feature.node-local-dns'] }));
  expect(ids.indexOf('service.nat-exclude')).toBeGreaterThan(0);
  expect(ids.indexOf('service.nat-exclude')).toBeLessThan(ids.indexOf('custom-resources'));
});

test('the standard data plane: nothing of eBPF, and the proxy stays what it is', () => {
  const ids = outline(install({ dataplane: 'Iptables' }));
  expect(ids.filter((id) => /bpf|proxy|felix/.test(id))).toEqual([]);
  expect(ids).toContain('installation.available');
});

test('what the operator would take and somebody should look at is told with the change, its field named', () => {
  const why = (installation: Choices['installation']) =>
    install({ installation }).operations.find(({ id }) => id === 'custom-resources')?.why;
  expect(why({ cni: { type: 'Calico' }, calicoNetwork: { linuxDataplane: 'BPF', ipPools: [] } })).toMatch(
    /To look at first: spec\.calicoNetwork\.ipPools: is an empty list/,
  );
  expect(why(undefined)).not.toContain('To look at');
});

test('automatic: no address of the API server, and the operator turns the proxy off', () => {
  const { endpoint: _chosen, ...without } = choicesSchema.parse({ goal: 'install', endpoint, automatic: true });
  const plan = makePlan({
    facts: anEmptyCluster(),
    choices: without,
    findings: someFindings({ goal: 'install' }),
    now: '2026-11-21T10:00:01.000Z',
    release: aRelease(),
  });
  const ids = outline(plan);
  expect(ids.filter((id) => id.startsWith('endpoint'))).toEqual([]);
  expect(ids).toContain('proxy.disable.managed');
  // Undo may be requested before that operation has begun.
  expect(plan.operations.find(({ id }) => id === 'custom-resources')?.undo?.pulls).toEqual(['proxy.disable.managed']);
});

test.each<[string, Partial<Choices>, ReleaseContents | null, string]>([
  ['without a release', {}, null, 'release'],
  ['automatic with an address', { automatic: true }, aRelease(), 'automatic'],
  ['automatic before v3.31', { automatic: true }, aRelease('v3.30.7'), 'automatic'],
  ['by Helm', { method: 'helm' }, aRelease(), 'method'],
  [
    'the operator’s own proxy management without automatic',
    { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } },
    aRelease(),
    'installation',
  ],
  ['a CIDR that is none', { set: { 'calicoNetwork.ipPools': [{ cidr: 'x' }] } }, aRelease(), 'installation'],
])('%s: refused, with the field named', (_title, given, release, field) => {
  try {
    install(given, release);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect((error as PlanError).path[0]).toBe(field);
    expect((error as PlanError).message).toMatch(new RegExp(`^${field}: .+\\.$`));
  }
});

test('the operator comes from the mirror that the Installation names', () => {
  const plan = install({
    set: { registry: 'mirror.example/', imagePath: 'net', imagePullSecrets: [{ name: 'pull' }] },
  });
  const act = JSON.stringify(plan.operations.find(({ id }) => id === 'operator.apply')?.act);
  expect(act).toContain('mirror.example/net/operator:v1.40.7');
  expect(act).toContain('"imagePullSecrets":[{"name":"pull"}]');
});

test.each([
  ['kube-system', 'DaemonSet', 'aws-node', 'quay.io/aws/vpc-cni:v1.19.0'],
  ['tigera-operator', 'Deployment', 'tigera-operator', 'quay.io/tigera/operator:v1.38.16'],
])('a password in the environment of %s/%s/%s stops the plan: the way back would write its mask', (...given) => {
  const [namespace, kind, name, image] = given;
  const id = `${namespace}/${kind}/${name}`;
  const withProxy = (value: string) => {
    const containers = [{ name, image, env: [{ name: 'HTTPS_PROXY', value }] }];
    const facts = anEmptyCluster();
    const found = object('apps/v1', kind, name, { spec: { template: { spec: { containers } } } }, namespace);
    const objects = { ...facts.resources.objects, [id]: found };
    return { ...facts, resources: { ...facts.resources, objects } };
  };
  const chosen = { set: { 'cni.type': 'Calico' } };
  const masked = withProxy(`http://${mask('looks like a password')}@proxy.example:3128`);
  expect(() => install(chosen, aRelease(), masked)).toThrow(`goal: ${id} has a value that looks like a secret`);
  expect(() => install(chosen, aRelease(), withProxy('http://proxy.example:3128'))).not.toThrow();
});

test('it is saved and read again as it was, and is valid shell', () => {
  const plan = install();
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  const script = planAsShell(plan);
  execFileSync('sh', ['-n'], { input: script });
  expect(script).toContain('kubectl apply --server-side --force-conflicts -f operator-crds.yaml');
  expect(script).toContain(`sha256 ${sha256}`);
});

test('a saved plan cannot delete what it did not make, nor write another’s objects', () => {
  const plan = install();
  const index = plan.operations.findIndex(({ id }) => id === 'crds');
  const resource = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
  const target = { resource, namespace: 'shop', name: 'shop' };
  const operations = plan.operations.map((operation, at) =>
    at === index ? { ...operation, act: { kind: 'delete', target, propagation: 'Background' } } : operation,
  );
  expect(() => parsePlan({ ...plan, operations })).toThrow(/crds may not do: delete Deployment shop/);
});
