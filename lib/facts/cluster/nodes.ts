import {
  isTrue,
  type KubeObject,
  landingOf,
  landingPodOf,
  type ObjectMetadata,
  type Workload,
} from '#lib/kube/index.ts';
import {
  cannotLand,
  distributionOf,
  installerOfNode,
  isVirtualNode,
  type LandingNode,
  type LandingPod,
  names,
  notReady,
} from '#lib/spec/index.ts';
import { agents } from '../calico/agents.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { listedNode, nodeListing } from '../reading/sources.ts';
import type { NodeFact } from '../schema.ts';

/** A node, and what decides whether a daemon's pod may land on it. */
export type SurveyedNode = { readonly fact: Omit<NodeFact, 'agentCannotLand'>; readonly landing: LandingNode };

const roleLabel = 'node-role.kubernetes.io/';
const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
const shownAddresses = ['InternalIP', 'ExternalIP'];

export const everyNode = picked(nodeListing, surveyNode);

export const nodes = defineCollector({
  id: 'nodes',
  tells: ['nodes', 'agents'],
  reads: { everyNode, agents },
  collect: ({ everyNode: read, agents: running }) => ({
    nodes: nodeFacts(read.value, running.value),
    // Without the DaemonSet it is not known where it cannot land; all else about nodes is.
    coverage: {
      nodes: { covered: read.missing.length === 0, missing: [...read.missing] },
      agents: { covered: running.missing.length === 0, missing: [...running.missing] },
    },
  }),
});

export function nodeFacts(read: readonly SurveyedNode[], running: readonly Workload[]): NodeFact[] {
  const pods = running.map(({ spec }) => landingPodOf(spec.template.spec));
  return read.map(({ fact, landing }) => ({ ...fact, agentCannotLand: fact.virtual ? null : whyNone(landing, pods) }));
}

/** With several agents' DaemonSets (a migration that stopped half-way) it is enough that one can land. */
function whyNone(node: LandingNode, pods: readonly LandingPod[]): string | null {
  const reasons = pods.map((pod) => cannotLand(node, pod));
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

export function surveyNode(object: KubeObject | ObjectMetadata): SurveyedNode {
  const node = listedNode(object);
  const { metadata: meta, spec, status } = node;
  const { osImage, operatingSystem, architecture, kernelVersion } = status.nodeInfo;
  const waits = notReady(status.conditions);
  const calicoAddresses = names.nodeAddressAnnotations.flatMap((key) => meta.annotations[key] ?? []);
  const zone = meta.labels[names.zoneLabel];
  const installer = installerOfNode(meta.labels, status.nodeInfo.kubeletVersion);
  return {
    fact: {
      name: meta.name,
      os: operatingSystem || (meta.labels['kubernetes.io/os'] ?? ''),
      architecture: architecture || (meta.labels['kubernetes.io/arch'] ?? ''),
      osImage,
      distribution: distributionOf(osImage),
      kernel: kernelVersion,
      ready: waits === null,
      notReady: waits,
      unschedulable: spec.unschedulable === true,
      pressures: pressures.filter((type) => isTrue(status.conditions, type)),
      addresses: shownAddresses.flatMap((type) =>
        status.addresses.filter((one) => one.type === type).map(({ address }) => address),
      ),
      ...(calicoAddresses.length === 0 ? {} : { calicoAddresses }),
      ...(zone === undefined ? {} : { zone }),
      roles: rolesOf(meta.labels),
      providerID: spec.providerID,
      createdAt: meta.creationTimestamp,
      computeType: meta.labels['eks.amazonaws.com/compute-type'] ?? null,
      ...(installer === null ? {} : { installer }),
      virtual: isVirtualNode({ labels: meta.labels, taints: spec.taints, providerID: spec.providerID }),
    },
    landing: landingOf(node),
  };
}

function rolesOf(labels: Record<string, string>): string[] {
  const named = Object.keys(labels).filter((key) => key.startsWith(roleLabel));
  const roles = named.map((key) => key.slice(roleLabel.length)).filter((role) => role !== '');
  const older = labels['kubernetes.io/role'];
  return [...new Set(older ? [...roles, older] : roles)].sort();
}
