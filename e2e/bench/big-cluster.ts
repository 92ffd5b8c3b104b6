import { type Plane, startControlPlane } from '#e2e/controlplane/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { aNode, type NodeDescription } from '#lib/sandbox/index.ts';
import { names } from '#lib/spec/index.ts';
import { BareClient } from './bare-client.ts';

export type Size = { readonly nodes: number; readonly imagesPerNode: number; readonly pods: number };

/** The size at which we promise to be quick (product.md › Promises 6). */
export const bigSize: Size = { nodes: 5_000, imagesPerNode: 30, pods: 20_000 };

const namespaces = Array.from({ length: 20 }, (_, i) => `team-${i + 1}`);
const writersAtOnce = 48;

/**
 * A real API server with many nodes and pods, written directly: neither kwok nor scheduler nor controller-manager runs, as five thousand
 * nodes that renew their leases would be measured too (controlplane.md › Starting it).
 */
export async function startBigCluster(size: Size, report: (line: string) => void): Promise<Plane> {
  const plane = await startControlPlane({ kind: 'empty', nodes: 0, components: 'api-only', report });
  const client = new BareClient(plane.kubeconfig, writersAtOnce);
  try {
    await client.create('/api/v1/namespaces', aNamespace('kube-system')).catch(() => {});
    for (const namespace of namespaces) {
      await client.create('/api/v1/namespaces', aNamespace(namespace));
      // The controller-manager would make it; without it the API server admits no pod.
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } };
      await client.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, account);
    }
    const started = performance.now();
    await each(size.nodes, (i) => client.create('/api/v1/nodes', bigNode(i, size.imagesPerNode)));
    report(`${size.nodes} nodes written in ${seconds(performance.now() - started)}`);
    const podsStarted = performance.now();
    await each(size.pods, (i) => {
      const namespace = namespaces[i % namespaces.length] ?? 'team-1';
      return client.create(`/api/v1/namespaces/${namespace}/pods`, aPod(i, namespace, `node-${i % size.nodes}`));
    });
    report(`${size.pods} pods written in ${seconds(performance.now() - podsStarted)}`);
    return plane;
  } catch (error) {
    await plane.stop();
    throw error;
  } finally {
    await client.close();
  }
}

async function each(count: number, act: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: writersAtOnce }, worker));
}

function aNamespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A node of a cloud, with the images that it holds under two names each, which are what makes a Node large. */
export function bigNode(number: number, images: number, more: Partial<NodeDescription> = {}): KubeObject {
  const hex = number.toString(16).padStart(12, '0');
  const node = aNode({
    name: `node-${number}`,
    address: address(number),
    kubelet: 'v1.36.3',
    podCIDR: `172.${16 + (number >> 12)}.${(number >> 4) & 255}.${(number & 15) << 4}/28`,
    providerID: `aws:///region-1a/i-${hex}`,
    labels: {
      'node.kubernetes.io/instance-type': 'm6i.2xlarge',
      'topology.kubernetes.io/region': 'region-1',
      [names.zoneLabel]: `region-1${'abc'[number % 3]}`,
    },
    annotations: { 'projectcalico.org/IPv4Address': `${address(number)}/16` },
    ...more,
  });
  const held = Array.from({ length: images }, (_, i) => ({
    names: [
      `registry.example/team-${i}/service-${i}@sha256:${hex}${'0123456789abcdef'.repeat(3)}${String(i).padStart(4, '0')}`,
      `registry.example/team-${i}/service-${i}:v1.${i}.${number % 10}`,
    ],
    sizeBytes: 50_000_000 + i,
  }));
  return { ...node, status: { ...(node.status as Record<string, unknown>), images: held } };
}

function address(number: number): string {
  return `198.${18 + (number >> 15)}.${(number >> 8) & 127}.${number & 255}`;
}

export function aPod(number: number, namespace: string, nodeName: string) {
  const app = `service-${number % 200}`;
  const hash = (number % 200).toString(16).padStart(10, 'a');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace,
      name: `${app}-${hash}-${number}`,
      labels: { app, 'app.kubernetes.io/name': app, 'pod-template-hash': hash, team: namespace },
      annotations: {
        'cni.projectcalico.org/podIP': '192.168.0.1/32',
        'cni.projectcalico.org/containerID': hash.repeat(6),
        'prometheus.io/scrape': 'true',
      },
    },
    spec: {
      nodeName,
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: `registry.example/${namespace}/${app}:v1.2.3`,
          ports: [{ name: 'http', containerPort: 8080 }],
          env: Array.from({ length: 8 }, (_, i) => ({ name: `SETTING_${i}`, value: `value-${i}-of-${app}` })),
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 10 },
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  };
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
