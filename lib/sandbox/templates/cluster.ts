import type { KubeObject } from '#lib/kube/index.ts';
import { sandboxDefinitions } from '#lib/operator/index.ts';
import { aNode, type NodeDescription } from '../builders.ts';
import { connectsPods } from '../workloads/network-agents.ts';
import { applications } from './applications.ts';
import { calicoResources, installation, installationSpec } from './calico-resources.ts';
import { withStatuses } from './calico-statuses.ts';
import { calicoWorkloads } from './calico-workloads.ts';
import { type ClusterShape, sixNodes, podSubnet as usualPodSubnet } from './cluster-shape.ts';
import { kubeadmObjects } from './kubeadm.ts';
import { rolledOut } from './rolled-out.ts';
import { serviceSlices } from './service-slices.ts';

/** A kubeadm cluster of six nodes with a standard installation. All names are reserved ones, and all addresses private. */
export const standard: Omit<ClusterShape, 'now'> = {
  kubernetesVersion: 'v1.34.3',
  nodes: sixNodes(),
  controlPlaneEndpoint: 'api.sandbox.example:6443',
  dataplane: 'Iptables',
  endpoint: null,
  proxy: { mode: 'iptables', turnedOff: false },
};

/**
 * The objects of a whole settled cluster: the standard one with the given differences. With `calico` = `absent` the cluster has no Calico, and its
 * nodes are not Ready unless another network is there.
 */
export function aCluster(
  differs: Partial<ClusterShape> = {},
  calico: 'installed' | 'absent' = 'installed',
): KubeObject[] {
  const shape: ClusterShape = { now: Date.now(), ...standard, ...differs };
  const nodes = (readiness: 'ready' | 'no-network') =>
    shape.nodes.map((node) =>
      aNode({ readiness, kubelet: shape.kubernetesVersion, ...node, ...podCidrOf(node, shape), now: shape.now }),
    );
  const kubeadm = kubeadmObjects(shape);
  const variation = shape.variation ?? ((given) => [...given]);
  if (calico === 'absent') {
    const connected = variation([...nodes('ready'), ...kubeadm]);
    return rolledOut(connected.some(connectsPods) ? connected : variation([...nodes('no-network'), ...kubeadm]), shape);
  }
  const spec = installationSpec(shape);
  const given = installation(shape, spec);
  const objects = rolledOut(
    variation([
      ...sandboxDefinitions(),
      ...nodes('ready'),
      ...kubeadm,
      given,
      ...calicoResources(shape, spec),
      ...calicoWorkloads(shape, given, spec),
      ...applications(),
    ]),
    shape,
  );
  return [...withStatuses(objects, shape), ...serviceSlices(objects, shape)];
}

/** The node's part of the pod network, moved into the cluster's own pod network where that is not the usual one. */
function podCidrOf({ podCIDR }: NodeDescription, { podSubnet }: ClusterShape): { podCIDR?: string } {
  const [usual, given] = [usualPodSubnet, podSubnet ?? usualPodSubnet].map((cidr) => /^\d+\.\d+\./.exec(cidr)?.[0]);
  return typeof podCIDR !== 'string' || !usual || !given ? {} : { podCIDR: podCIDR.replace(usual, given) };
}
