import type { InstallationSpec } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { ownedBy, workloadsOf } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';
import { type ClusterShape, injectedEndpoint } from './cluster-shape.ts';
import { namespace, service } from './kubeadm.ts';
import { operatorDeployment } from './operator-deployment.ts';
import { operatorOf, releaseIn } from './release.ts';

/** The operator, and the workloads that it makes for the Installation. */
export function calicoWorkloads(shape: ClusterShape, installation: KubeObject, spec: InstallationSpec): KubeObject[] {
  const release = releaseIn(shape);
  const plan = {
    release,
    spec,
    owner: ownedBy(installation),
    // Without the ConfigMap the operator passes on the endpoint that the kubelet injected into its own pod (calico.md §3.2).
    endpoint: shape.endpoint ?? injectedEndpoint,
    bootstrap: null,
    flowLogs: null,
    // Operators that copy DNS settings give the agents a DNS policy of their own (calico.md §3.4).
    dns: { dnsPolicy: release.copiesDns ? 'ClusterFirstWithHostNet' : 'Default' },
    linuxNodes: shape.nodes.filter(({ os }) => os !== 'windows').length,
    cgroupV2Path: null,
  };
  const made = workloadsOf(plan, names.operatorNamespace);
  return [
    operatorNamespace(),
    operatorDeployment(operatorOf(release)),
    ...endpointConfigMap(shape),
    ...made.map(({ object }) => asServed(object)),
  ];
}

/** Adds what the API server fills in on creation. */
function asServed(object: KubeObject): KubeObject {
  const { kind, metadata } = object;
  if (kind === 'Service')
    return {
      ...object,
      spec: { ...service('10.100.0.54', null, []), ...Object(object.spec) },
      status: { loadBalancer: {} },
    };
  if (kind !== 'Namespace') return object;
  const served = namespace(metadata.name ?? '');
  return { ...served, metadata: { ...metadata, labels: { ...served.metadata.labels, ...metadata.labels } } };
}

function operatorNamespace(): KubeObject {
  const name = names.operatorNamespace;
  const labels = { name, 'pod-security.kubernetes.io/enforce': 'privileged' };
  return asServed({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

function endpointConfigMap({ endpoint }: ClusterShape): KubeObject[] {
  if (!endpoint) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.endpointConfigMap, namespace: names.operatorNamespace },
      data: { [names.endpointHostKey]: endpoint.host, [names.endpointPortKey]: endpoint.port },
    },
  ];
}
