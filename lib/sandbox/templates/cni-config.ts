import { createHash } from 'node:crypto';
import type { KubeObject } from '#lib/kube/index.ts';
import { type ClusterShape, injectedEndpoint } from './cluster-shape.ts';
import { inCalicoSystem } from './workload-parts.ts';

/** What install-cni writes on each node. The API endpoint is in it, so that its hash changes with the endpoint. */
function cniConfig({ endpoint }: ClusterShape): string {
  const { host, port } = endpoint ?? injectedEndpoint;
  const calico = {
    type: 'calico',
    datastore_type: 'kubernetes',
    mtu: 0,
    nodename_file_optional: false,
    log_level: 'Info',
    log_file_path: '/var/log/calico/cni/cni.log',
    ipam: { type: 'calico-ipam' },
    container_settings: { allow_ip_forwarding: false },
    policy: { type: 'k8s' },
    kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__', k8s_api_root: `https://${host}:${port}` },
  };
  const portmap = { type: 'portmap', snat: true, capabilities: { portMappings: true } };
  return JSON.stringify({ name: 'k8s-pod-network', cniVersion: '0.3.1', plugins: [calico, portmap] });
}

export function cniConfigHash(shape: ClusterShape): string {
  return createHash('sha1').update(cniConfig(shape)).digest('hex');
}

export function cniConfigMap(shape: ClusterShape): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inCalicoSystem('cni-config'),
    data: { config: cniConfig(shape) },
  };
}
