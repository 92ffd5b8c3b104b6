import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultEndpoint, type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { collectFacts, type FactKey, type Facts, factsSchema } from '#lib/facts/index.ts';
import { connect } from '#lib/kube/index.ts';
import { eventually } from './testing/eventually.ts';

let plane: Plane;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'standard', nodes: 3 });
  await rolledOut('/apis/apps/v1/namespaces/calico-system/daemonsets/calico-node');
});
afterAll(async () => {
  await plane?.stop();
});

/** The plane is ready before its operator has finished. */
async function rolledOut(path: string): Promise<void> {
  await eventually(`${path} to roll out`, async () => {
    const { status } = await plane.api
      .get<{ status?: { numberAvailable?: number } }>(path)
      .catch(() => ({ status: undefined }));
    return status?.numberAvailable === 3;
  });
}

async function facts(kubeconfig: string, rules: Parameters<typeof collectFacts>[0]['rules'] = []): Promise<Facts> {
  const kube = await connect({ kubeconfig });
  try {
    return await collectFacts({ kube, rules });
  } finally {
    await kube.close();
  }
}

/** The facts that were requested and could not be read. */
const uncovered = ({ coverage }: Facts) =>
  (Object.keys(coverage) as FactKey[]).filter(
    (key) => !coverage[key].covered && !coverage[key].missing.every(({ notAsked }) => notAsked),
  );

test('a standard cluster is read whole from a real API server', async () => {
  const read = await facts(plane.kubeconfig, [
    { verb: 'patch', group: 'operator.tigera.io', resource: 'installations' },
  ]);

  expect(factsSchema.parse(read)).toEqual(read);
  expect(read.cluster).toMatchObject({ source: 'live', kubernetesVersion: 'v1.36.3', serviceCIDRs: ['10.96.0.0/12'] });
  expect(read.platform.kind).toBe('kubeadm');
  expect(read.nodes.map(({ name, ready, agentCannotLand }) => ({ name, ready, agentCannotLand }))).toEqual(
    ['control-1', 'worker-1', 'worker-2'].map((name) => ({ name, ready: true, agentCannotLand: null })),
  );
  expect(read.installation).toMatchObject({
    method: 'operator',
    version: 'v3.31.4',
    datastore: 'kubernetes',
    cni: 'Calico',
  });
  expect(read.installation.dataplane).toEqual({ wanted: 'Iptables', actual: 'Iptables' });
  expect(read.proxy).toMatchObject({ kind: 'daemonset', mode: 'iptables', running: true, pods: { desired: 3 } });
  expect(read.endpoint.apiServers).toEqual(['198.18.0.11:6443']);
  expect(read.endpoint.clusterIPs).toEqual(['10.96.0.1']);
  expect(`${read.endpoint.suggested?.host}:${read.endpoint.suggested?.port}`).toBe(defaultEndpoint);
  expect(read.endpoint.inUse.map(({ container }) => container)).toEqual(
    expect.arrayContaining(['calico-node', 'install-cni', 'calico-typha']),
  );
  expect(read.pools).toMatchObject([{ encapsulation: 'VXLANCrossSubnet' }]);
  expect(read.resources.access).toMatchObject([{ allowed: true }]);
  expect(read.resources.objects['Installation/default']).toMatchObject({
    spec: { calicoNetwork: { linuxDataplane: 'Iptables' } },
  });
  expect(read.resources.objects['tigera-operator/ConfigMap/kubernetes-services-endpoint']).toBeNull();
  expect(JSON.stringify(read)).not.toContain('managedFields');
  expect(uncovered(read).filter((key) => key !== 'endpointProbe')).toEqual([]);
  // The proposed endpoint is dialled from here, by the console's own machine; the API server dials nobody.
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

test('an account that may only look is told what it lacks', async () => {
  const read = await facts(plane.kubeconfigFor('reader'));
  expect(read.nodes).toHaveLength(3);
  expect(read.installation.method).toBe('operator');
  for (const key of uncovered(read)) {
    if (key === 'endpointProbe' || key === 'access') continue;
    expect(
      read.coverage[key].missing.some(({ rule }) => rule !== undefined),
      key,
    ).toBe(true);
  }
});

test('an account that may read nothing is told what it lacks for every kind, and nothing is known', async () => {
  const read = await facts(plane.kubeconfigFor('stranger'));
  expect(read.nodes).toEqual([]);
  expect(read.installation.method).toBe('unknown');
  expect(read.coverage.nodes).toMatchObject({
    covered: false,
    missing: [{ rule: { verb: 'list', group: '', resource: 'nodes' } }],
  });
});

test('an API server that is away rejects in time, and once it is back the facts are too', async () => {
  await plane.stopApiServer();
  await expect(facts(plane.kubeconfig)).rejects.toMatchObject({ name: 'KubeError', code: 'unreachable' });
  await plane.startApiServer();
  expect((await facts(plane.kubeconfig)).installation.method).toBe('operator');
});

test('an API server that goes away in the middle leaves facts with reasons, or rejects', async () => {
  const reading = facts(plane.kubeconfig).then(
    (read) => ({ read, error: null }),
    (error: unknown) => ({ read: null, error }),
  );
  await plane.stopApiServer();
  const { read, error } = await reading;
  await plane.startApiServer();
  if (read) expect(factsSchema.safeParse(read).success).toBe(true);
  else expect(error).toMatchObject({ name: 'KubeError' });
});
