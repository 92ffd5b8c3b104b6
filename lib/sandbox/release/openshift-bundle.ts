import type { ManifestObject } from '#lib/spec/index.ts';
import { names } from '#lib/spec/index.ts';
import { customResources } from './custom-resources.ts';
import {
  bindings,
  clusterRole,
  operatorDeployment,
  operatorNamespace,
  secretsRole,
  serviceAccount,
} from './operator-manifest.ts';

const privileged = {
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
  'security.openshift.io/scc.podSecurityLabelSync': 'false',
};

const configMap = (name: string, data: Readonly<Record<string, string>>): ManifestObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: names.operatorNamespace },
  data,
});

const namespaces: readonly ManifestObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.calicoNamespace, labels: { ...privileged } } },
  {
    ...operatorNamespace,
    metadata: { ...operatorNamespace.metadata, labels: { name: names.operatorNamespace, ...privileged } },
  },
];

const initContainersOf = (calicoVersion: string, operatorVersion: string) => [
  {
    name: 'create-initial-crds',
    image: `quay.io/tigera/operator:${operatorVersion}`,
    command: ['operator'],
    args: ['-bootstrap-crds'],
  },
  {
    name: 'create-initial-resources',
    image: `quay.io/calico/ctl:${calicoVersion}`,
    command: ['calicoctl', 'create', '--skip-exists', '--skip-empty', '-f', '/calico-resources/'],
    env: [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }],
  },
];

/** `tigera-operator-ocp-upgrade.yaml`: the bundle without kinds, custom resources and the endpoint (calico.md §1.2). */
export function openshiftUpgrade(calicoVersion: string, operatorVersion: string): ManifestObject[] {
  const deployment = operatorDeployment(operatorVersion, initContainersOf(calicoVersion, operatorVersion));
  return [...namespaces, secretsRole, clusterRole, ...bindings, serviceAccount, withResources(deployment)];
}

/** As published, it mounts a ConfigMap, which must exist, with the objects that `calicoctl` creates at its start. */
function withResources(deployment: ManifestObject): ManifestObject {
  const spec = Object(deployment.spec);
  const pod = spec.template.spec;
  const volumes = [...pod.volumes, { name: 'calico-resources', configMap: { name: 'calico-resources' } }];
  return { ...deployment, spec: { ...spec, template: { ...spec.template, spec: { ...pod, volumes } } } };
}

/**
 * All files of `ocp.tgz`, in the order of their names (calico.md §1.2): no CRDs, which the operator's first init container creates; an endpoint
 * ConfigMap with placeholders; an Installation that is already on eBPF; and the network operator's setting to run no proxy.
 */
export function openshiftBundle(calicoVersion: string, operatorVersion: string): ManifestObject[] {
  return [
    ...namespaces,
    configMap(names.endpointConfigMap, {
      [names.endpointHostKey]: 'api.<cluster_name>.<base_domain>',
      [names.endpointPortKey]: '6443',
    }),
    configMap('calico-resources', {}),
    secretsRole,
    clusterRole,
    ...bindings,
    serviceAccount,
    operatorDeployment(operatorVersion, initContainersOf(calicoVersion, operatorVersion)),
    ...customResources({ linuxDataplane: 'BPF' }).map((object) =>
      object.kind === 'Installation' ? { ...object, spec: openshiftInstallation } : object,
    ),
    {
      apiVersion: 'operator.openshift.io/v1',
      kind: 'Network',
      metadata: { name: 'cluster' },
      spec: { deployKubeProxy: false },
    },
  ];
}

/** No pools: the operator takes those of the cluster's network configuration (calico.md §2.3). */
const openshiftInstallation = { variant: 'Calico', calicoNetwork: { linuxDataplane: 'BPF' } };
