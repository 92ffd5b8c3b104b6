import { createHash } from 'node:crypto';
import type { V1ConfigMap } from '@kubernetes/client-node';
import { bracketed } from '#lib/base/ip.ts';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { inCalicoSystem, type RenderPlan } from './plan.ts';

/** The CNI network configuration that install-cni writes on each node. It has the API endpoint too (calico.md §3.2, §3.4). */
function cniConfig(plan: RenderPlan): string {
  const network = plan.spec.calicoNetwork ?? {};
  const log = plan.spec.logging?.cni ?? {};
  const calico = {
    type: 'calico',
    datastore_type: 'kubernetes',
    mtu: network.mtu ?? 0,
    nodename_file_optional: false,
    log_level: log.logSeverity ?? 'Info',
    log_file_path: '/var/log/calico/cni/cni.log',
    ipam: { type: plan.spec.cni?.ipam?.type === 'HostLocal' ? 'host-local' : 'calico-ipam' },
    container_settings: { allow_ip_forwarding: network.containerIPForwarding === 'Enabled' },
    policy: { type: 'k8s' },
    kubernetes: {
      kubeconfig: '__KUBECONFIG_FILEPATH__',
      k8s_api_root: plan.endpoint ? `https://${bracketed(plan.endpoint.host)}:${plan.endpoint.port}` : '',
    },
  };
  const portmap = { type: 'portmap', snat: true, capabilities: { portMappings: true } };
  const plugins = network.hostPorts === 'Disabled' ? [calico] : [calico, portmap];
  return JSON.stringify({ name: 'k8s-pod-network', cniVersion: '0.3.1', plugins });
}

export function cniConfigMap(plan: RenderPlan): ObjectToWrite<V1ConfigMap> {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inCalicoSystem(plan, 'cni-config'),
    data: { config: cniConfig(plan) },
  };
}

/** A hash of the configuration. With it a change of the configuration rolls the pods, so that install-cni runs again. */
export function cniConfigHash(plan: RenderPlan): string {
  return createHash('sha1').update(cniConfig(plan)).digest('hex');
}
