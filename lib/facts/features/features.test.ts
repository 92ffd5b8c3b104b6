import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { standardCluster } from '../testing/sample-cluster.ts';

const kinds = Object.values(resources).filter(({ group }) => !group.includes('openshift'));

async function featuresWith(...objects: KubeObject[]) {
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [...standardCluster(), ...objects] });
  return (await collectFacts({ kube })).features;
}

const policy = (apiVersion: string, kind: string, name: string, spec: unknown, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}) },
  spec,
});

test('floating IPs: by annotation, and by FelixConfiguration', async () => {
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'web',
      name: 'shop-1',
      annotations: { 'cni.projectcalico.org/floatingIPs': '["198.18.5.5"]' },
    },
  };
  const felix = policy('crd.projectcalico.org/v1', 'FelixConfiguration', 'node.worker-1', { floatingIPs: 'Enabled' });
  expect((await featuresWith(pod, felix)).floatingIps).toEqual([
    { kind: 'FelixConfiguration', namespace: null, name: 'node.worker-1', detail: 'floatingIPs: Enabled' },
    { kind: 'Pod', namespace: 'web', name: 'shop-1', detail: 'floating IPs ["198.18.5.5"]' },
  ]);
});

test('SCTP: in Services and in policies of every kind, by name and by number', async () => {
  const found = await featuresWith(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'web', name: 'sig' },
      spec: { ports: [{ name: 'm3ua', port: 2905, protocol: 'SCTP' }, { port: 80 }] },
    },
    policy(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      'allow',
      {
        egress: [
          {
            ports: [
              { protocol: 'TCP', port: 1 },
              { protocol: 'SCTP', port: 2 },
            ],
          },
        ],
      },
      'web',
    ),
    policy(
      'crd.projectcalico.org/v1',
      'NetworkPolicy',
      'default.a',
      { ingress: [{ action: 'Allow', protocol: 'SCTP' }] },
      'web',
    ),
    policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.b', {
      egress: [{ action: 'Deny', protocol: 132 }],
    }),
    policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.c', {
      egress: [{ action: 'Deny', notProtocol: 'SCTP' }],
    }),
  );
  expect(found.sctp).toEqual([
    { kind: 'Service', namespace: 'web', name: 'sig', detail: 'SCTP on m3ua' },
    { kind: 'NetworkPolicy', namespace: 'web', name: 'allow', detail: 'SCTP in spec.egress[0].ports[1]' },
    { kind: 'NetworkPolicy.projectcalico.org', namespace: 'web', name: 'default.a', detail: 'SCTP in spec.ingress[0]' },
    {
      kind: 'GlobalNetworkPolicy.projectcalico.org',
      namespace: null,
      name: 'default.b',
      detail: 'SCTP in spec.egress[0]',
    },
  ]);
});

test('action: Log, and not in the mirror of a Kubernetes policy', async () => {
  const found = await featuresWith(
    policy('crd.projectcalico.org/v1', 'GlobalNetworkPolicy', 'default.log', {
      ingress: [{ action: 'Allow' }, { action: 'Log' }],
    }),
    policy('crd.projectcalico.org/v1', 'NetworkPolicy', 'knp.default.x', { ingress: [{ action: 'Log' }] }, 'web'),
  );
  expect(found.logActions).toEqual([
    {
      kind: 'GlobalNetworkPolicy.projectcalico.org',
      namespace: null,
      name: 'default.log',
      detail: 'action: Log in spec.ingress[1]',
    },
  ]);
});
