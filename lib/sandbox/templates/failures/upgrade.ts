import type { KubeObject } from '#lib/kube/index.ts';
import { helmRelease, kindsApart, manifestOfKinds, ownedByHelm } from '../helm-release.ts';
import { byManifest } from '../manifest.ts';
import { configMap, definitionOf, mirrorPod } from '../objects.ts';
import { release } from '../release.ts';
import type { Samples } from '../sample.ts';
import { adding, all, changing, specifying } from '../variations.ts';

const agent = 'kube-system/DaemonSet/calico-node';

const ownKind = definitionOf({
  ...{ group: 'rules.example.com', version: 'v1', kind: 'SiteRule', plural: 'siterules' },
  namespaced: false,
});

/** The bare Pod of calicoctl.yaml (calico.md §1.2). */
function networkCli(version: string): KubeObject {
  const node = { name: 'worker-1', address: '10.0.0.12' };
  const pod = mirrorPod(node, 'calicoctl', `docker.io/calico/ctl:${version}`, ['/calicoctl'], '2026-01-01T00:00:00Z');
  return { ...pod, metadata: { name: 'calicoctl', namespace: 'kube-system' } };
}

const policyUid = '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01';

/**
 * A settings object whose owner is a policy. Until v3.28 the v3 API showed the policy's own UID; since then it shows another one (calico.md §12), and
 * the reference names nobody.
 */
const ownedSettings: readonly KubeObject[] = [
  {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'default.cart', namespace: 'default', generation: 1, uid: policyUid },
    spec: { tier: 'default', selector: 'all()', types: ['Ingress'], ingress: [{ action: 'Allow' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'cart-settings',
      namespace: 'default',
      ownerReferences: [
        { apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicy', name: 'default.cart', uid: policyUid },
      ],
    },
    data: { currency: 'EUR' },
  },
];

const crd = (kind: string, name: string, spec: Record<string, unknown>): KubeObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind,
  metadata: { name, generation: 1 },
  spec,
});

/** A workload that asks Istio's injector for a sidecar, and an injector of an old release. */
const withSidecar = all(
  changing('shop/Deployment/checkout', (object) => {
    const spec = Object(object.spec);
    const { metadata, spec: pod } = spec.template;
    const annotations = { ...metadata.annotations, 'sidecar.istio.io/inject': 'true' };
    return { ...object, spec: { ...spec, template: { metadata: { ...metadata, annotations }, spec: pod } } };
  }),
  adding(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'istio-system' }, status: { phase: 'Active' } },
    configMap('istio-system', 'istio-sidecar-injector', {
      config:
        'policy: enabled\ntemplate: |\n  containers:\n  - name: dikastes\n    image: docker.io/calico/dikastes:v3.27.5\n',
    }),
  ),
);

/** Edits that somebody made after calico.yaml was applied. */
const edited = all(
  changing('kube-system/ConfigMap/calico-config', (object) => ({
    ...object,
    data: { ...Object(object.data), veth_mtu: '8900' },
  })),
  changing(agent, (object) =>
    JSON.parse(
      JSON.stringify(object).replace('"FELIX_IPV6SUPPORT","value":"false"', '"FELIX_IPV6SUPPORT","value":"true"'),
    ),
  ),
);

/** Obstacles to an upgrade (pain H, J). Clusters of the operator run the release before the newest one; clusters by manifest run an old one. */
export const upgradeFailures: Samples = {
  'old-calicoctl': {
    shows: 'a pod with calicoctl of v3.27.5, which writes what a newer Calico does not expect',
    differs: { variation: adding(networkCli('v3.27.5')) },
  },
  'owner-references': {
    shows: 'Calico v3.27.5 with an object owned by a policy: the upgrade would delete it',
    differs: { variation: all(byManifest('calico', { version: 'v3.27.5' }), adding(...ownedSettings)) },
    calico: 'absent',
  },
  'image-set': {
    shows: 'images pinned by an ImageSet of the installed version: the next operator would stop',
    differs: {
      variation: adding({
        apiVersion: 'operator.tigera.io/v1',
        kind: 'ImageSet',
        metadata: { name: `calico-${release.calicoVersion}`, generation: 1 },
        spec: { images: [{ image: 'calico/node', digest: `sha256:${'0'.repeat(64)}` }] },
      }),
    },
  },
  'paused-rollout': {
    shows: "a paused rollout of the operator: the next release's operator would never start",
    differs: {
      variation: changing('tigera-operator/Deployment/tigera-operator', (object) => ({
        ...object,
        spec: { ...Object(object.spec), paused: true },
      })),
    },
  },
  'docker-registry': {
    shows: 'Calico v3.24.5 with images from docker.io, which newer releases no longer use',
    differs: { variation: byManifest('calico', { version: 'v3.24.5' }) },
    calico: 'absent',
  },
  'pinned-registry': {
    shows: 'images pinned to a registry of its own, whatever a release would use by itself',
    differs: { variation: specifying('Installation/default', { registry: 'quay.io/' }) },
  },
  'host-endpoints': {
    shows: 'a host endpoint for all interfaces, made by hand',
    differs: { variation: adding(crd('HostEndpoint', 'worker-1-all', { node: 'worker-1', interfaceName: '*' })) },
  },
  'allow-all-upgrade': {
    shows: 'the policy that let all traffic of hosts pass during an old upgrade, and was never deleted',
    differs: {
      variation: adding(
        crd('GlobalNetworkPolicy', 'default.allow-all-upgrade', {
          tier: 'default',
          order: 0,
          selector: 'has(host-endpoint)',
          types: ['Ingress', 'Egress'],
          ingress: [{ action: 'Allow' }],
          egress: [{ action: 'Allow' }],
        }),
      ),
    },
  },
  'helm-pending': {
    shows: 'a Helm upgrade that was cut off: Helm takes its release for pending and refuses the next',
    differs: {
      variation: all(
        ...ownedByHelm,
        adding(helmRelease({}), helmRelease({}, { revision: 2, status: 'pending-upgrade' })),
      ),
    },
  },
  'helm-kind-lost': {
    shows:
      'Calico v3.32.0 by Helm, whose chart of kinds had one more than the next: Helm would delete it and its objects',
    differs: {
      calico: 'v3.32.0',
      variation: all(
        kindsApart(manifestOfKinds(['installations.operator.tigera.io', ownKind.metadata.name ?? ''])),
        adding(ownKind, { apiVersion: 'rules.example.com/v1', kind: 'SiteRule', metadata: { name: 'head-office' } }),
      ),
    },
  },
  'edited-manifest': {
    shows: 'Calico v3.27.5 by calico.yaml, with MTU and IPv6 changed by hand afterwards',
    differs: { variation: all(byManifest('calico', { version: 'v3.27.5' }), edited) },
    calico: 'absent',
  },
  'etcd-placeholder': {
    shows: 'calico-etcd.yaml applied as it was published, with no address of etcd in it',
    differs: {
      variation: all(
        byManifest('calico-etcd', { version: 'v3.24.5' }),
        changing('kube-system/ConfigMap/calico-config', (object) => ({
          ...object,
          data: { ...Object(object.data), etcd_endpoints: 'http://<ETCD_IP>:<ETCD_PORT>' },
        })),
      ),
    },
    calico: 'absent',
  },
  'old-sidecars': {
    shows: 'a workload with the sidecar of application layer policy of v3.27.5, to be rolled after an upgrade',
    differs: { variation: withSidecar },
  },
};
