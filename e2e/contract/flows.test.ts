import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueCertificate } from '#lib/base/certificates.ts';
import { flowRoleSet } from '#lib/flows/flow-role.ts';
import {
  Aggregator,
  everyFlow,
  followFlows,
  goldmaneQuirks,
  openFlowClient,
  type ServedAggregator,
  sampleTraffic,
  serveAggregator,
} from '#lib/flows/index.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { connect, isKubeError, type KubeObject, type LiveKube, systemClock } from '#lib/kube/index.ts';
import { sandboxDefinitions } from '#lib/operator/index.ts';
import { resources } from '#lib/spec/index.ts';
import { eventually } from '../cluster/testing/eventually.ts';
import { grant } from '../cluster/testing/printed-roles.ts';
import { type Plane, setForward, startControlPlane } from '../controlplane/index.ts';

/** The client through a real API server and a kubelet's port-forward, to an aggregator with the faults of the public one, and real mutual TLS. */
let plane: Plane;
let kube: LiveKube;
let served: ServedAggregator;
const namespace = 'calico-system';
const newAuthority = () => issueCertificate({ commonName: 'tigera-operator-signer', use: 'authority' }, Date.now());
let authority = newAuthority();
const pair = (commonName: string, names: readonly string[]) =>
  issueCertificate({ commonName, names, use: 'end' }, Date.now(), authority);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const now = () => Math.floor(Date.now() / 1000);
const bucket = () => Math.floor(now() / 15) * 15;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'empty', nodes: 1, like: 'none' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  await serve();
  for (const definition of sandboxDefinitions())
    if (/^(installations|goldmanes)\./.test(definition.metadata.name ?? ''))
      await kube.create(resources.customResourceDefinitions, definition);
  const { certificate, key } = pair('whisker-backend', []);
  await created(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await created(resources.services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'goldmane' },
    spec: { selector: { 'k8s-app': 'goldmane' }, ports: [{ port: 7443, targetPort: 7443 }] },
  });
  await created(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'goldmane-ca-bundle' },
    data: { 'tigera-ca-bundle.crt': authority.certificate },
  });
  await created(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'whisker-backend-key-pair' },
    data: { 'tls.crt': base64(certificate), 'tls.key': base64(key) },
  });
  await created(resources.deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'goldmane' },
    spec: {
      selector: { matchLabels: { 'k8s-app': 'goldmane' } },
      template: {
        metadata: { labels: { 'k8s-app': 'goldmane' } },
        // No network is there that would make the node ready for others.
        spec: {
          containers: [{ name: 'goldmane', image: 'images.example/goldmane' }],
          tolerations: [{ operator: 'Exists' }],
        },
      },
    },
  });
  await created(resources.installations, {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec: { variant: 'Calico' },
  });
  await kube.patch(
    { resource: resources.installations, name: 'default' },
    { type: 'merge', body: { status: { calicoVersion: 'v3.31.4' } } },
    { subresource: 'status' },
  );
});

afterAll(async () => {
  await kube?.close();
  await served?.close();
  await plane?.stop();
});

/** A kind that was only just defined is not served at once. */
async function created(resource: Parameters<LiveKube['create']>[0], object: KubeObject) {
  await eventually(`${object.kind} to be made`, () =>
    kube.create(resource, object).then(
      () => true,
      (error: Error) => isKubeError(error, 'already-exists'),
    ),
  );
}

function tenMinutes(): Aggregator {
  const aggregator = new Aggregator(now, goldmaneQuirks);
  for (let start = bucket() - 600; start < bucket(); start += 15)
    for (const flow of sampleTraffic(start)) aggregator.add(flow);
  return aggregator;
}

async function serve(aggregator = tenMinutes()) {
  const { certificate, key } = pair('goldmane', ['goldmane.calico-system.svc']);
  served = await serveAggregator(aggregator, {
    format: 'v3.30',
    certificates: { authority: authority.certificate, certificate, key },
    listen: '127.0.0.1:0',
  });
  setForward(plane.dir, Number(served.address?.split(':').at(-1)));
}

test('not enabled, enabled, listed, and followed over a cut', async () => {
  await expect(openFlowClient(kube)).rejects.toMatchObject({ code: 'not-enabled' });
  await created(resources.goldmanes, {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Goldmane',
    metadata: { name: 'default' },
    spec: {},
  });
  await expect
    .poll(() =>
      openFlowClient(kube).then(
        (client) => client.close().then(() => 'ready'),
        (error: Error) => error.message,
      ),
    )
    .toBe('ready');

  const client = await openFlowClient(kube);
  const listed = await client.list({ gte: -300, lt: 0 }, everyFlow);
  expect(listed.length).toBeGreaterThan(20);
  expect(await client.hints('destNamespace')).toContain('payments');
  expect(await client.statistics({ gte: -300, lt: 0 })).not.toEqual([]);
  await client.close();

  const stop = new AbortController();
  const seen: string[] = [];
  let cuts = 0;
  const followed = followFlows({
    open: (signal) => openFlowClient(kube, signal),
    filter: everyFlow,
    sinceSeconds: 300,
    clock: { sleep: (_ms, signal) => systemClock.sleep(100, signal) },
    signal: stop.signal,
  });
  for await (const event of followed) {
    if (event.type === 'interrupted') cuts++;
    if (event.type === 'flow') seen.push(event.flow.id);
    if (event.type === 'flow' && seen.length === 10) {
      await served.close();
      await serve();
    }
    // What had come before the cut is told first, and may be more than that.
    if (cuts > 0 && seen.length >= 200) break;
  }
  expect(new Set(seen).size).toBe(seen.length);
});

test('certificates of both sides rotate during a stream, one after the other: it goes on, each flow once and none lost', async () => {
  const aggregator = tenMinutes();
  const starts = Array.from({ length: 12 }, (_, index) => bucket() - 300 + index * 15);
  const ports = Array.from({ length: 300 }, (_, index) => index + 1);
  // More than all buffers between the two hold.
  for (const start of starts) for (const port of ports) aggregator.add(aFlow({ start, port }));
  await served.close();
  await serve(aggregator);
  const merge = (resource: typeof resources.secrets, name: string, data: object) =>
    kube.patch({ resource, namespace, name }, { type: 'merge', body: { data } });
  /** The open connection is cut with the first, and until the last the server's certificate is one that nobody vouches for. */
  const steps = [
    async () => {
      authority = newAuthority();
      await served.close();
      await serve(aggregator);
    },
    () => {
      const { certificate, key } = pair('whisker-backend', []);
      const data = { 'tls.crt': base64(certificate), 'tls.key': base64(key) };
      return merge(resources.secrets, 'whisker-backend-key-pair', data);
    },
    () => merge(resources.configMaps, 'goldmane-ca-bundle', { 'tigera-ca-bundle.crt': authority.certificate }),
  ];
  const stop = new AbortController();
  const followed = followFlows({
    open: (signal) => openFlowClient(kube, signal),
    filter: everyFlow,
    sinceSeconds: 330,
    clock: { sleep: (_ms, signal) => systemClock.sleep(200, signal) },
    signal: stop.signal,
  });
  const seen: string[] = [];
  const said: string[] = [];
  const awaited = new Set(starts.flatMap((start) => ports.map((port) => `${start} ${port}`)));
  for await (const event of followed) {
    if (event.type === 'gap') said.push('gap');
    if (event.type === 'interrupted') {
      said.push(String(Reflect.get(event.error, 'code')));
      if (said.at(-1) === 'certificates') await steps.shift()?.();
    }
    if (event.type !== 'flow') continue;
    seen.push(event.flow.id);
    awaited.delete(`${event.flow.start} ${event.flow.port}`);
    if (seen.length === 40) await steps.shift()?.();
    if (awaited.size === 0) break;
  }
  expect(steps).toEqual([]);
  expect(said.filter((one) => one === 'certificates')).toHaveLength(2);
  expect(said).not.toContain('gap');
  expect(new Set(seen).size).toBe(seen.length);
});

test('the Role that signalbox rbac prints is enough to read flows, and without the port-forward it is not', async () => {
  const { roles } = flowRoleSet('enable');
  const user = 'applicant';
  const applicant = await connect({ kubeconfig: plane.kubeconfigFor(user) });
  const answer = async () => {
    try {
      const client = await openFlowClient(applicant);
      const found = await client.list({ gte: -300, lt: 0 }, everyFlow).finally(() => client.close());
      return found.length > 0 ? 'flows' : 'none';
    } catch (error) {
      return String(error);
    }
  };
  try {
    await expect(openFlowClient(applicant)).rejects.toMatchObject({ code: 'forbidden' });
    await grant(plane, user, roles);
    await expect.poll(answer, { timeout: 20_000 }).toBe('flows');
    const withoutForward = roles.map((role) => ({
      ...role,
      rules: role.rules.filter(({ resources: of }) => !of.includes('pods/portforward')),
    }));
    await grant(plane, user, withoutForward);
    await expect.poll(answer, { timeout: 20_000 }).toMatch(/pods\/portforward/);
  } finally {
    await applicant.close();
  }
});
