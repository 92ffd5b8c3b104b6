import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import {
  cannotLand,
  distributionOf,
  isVirtualNode,
  type LandingNode,
  type LandingPod,
  notReady,
} from '#lib/spec/index.ts';
import { agents } from './agents.ts';
import { defineCollector } from './collector.ts';
import { fields, flagOrNull, listOf, metadata, text, textOrNull } from './lenient.ts';
import { picked } from './query.ts';
import type { NodeFact } from './schema.ts';
import { nodeListing } from './sources.ts';
import type { Workload } from './workload.ts';

const nodeFields = fields({
  metadata,
  spec: fields({
    unschedulable: flagOrNull,
    providerID: textOrNull,
    taints: listOf(fields({ key: text, value: textOrNull, effect: text })),
  }),
  status: fields({
    addresses: listOf(fields({ type: text, address: text })),
    conditions: listOf(fields({ type: text, status: text, reason: textOrNull, message: textOrNull })),
    nodeInfo: fields({
      operatingSystem: text,
      architecture: text,
      osImage: text,
      kernelVersion: text,
    }),
  }),
});

/** A node, and what decides whether a daemon's pod may land on it. */
export type ReadNode = { readonly fact: Omit<NodeFact, 'agentCannotLand'>; readonly landing: LandingNode };

const roleLabel = 'node-role.kubernetes.io/';
const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
const shownAddresses = ['InternalIP', 'ExternalIP'];

const everyNode = picked(nodeListing, readNode);

export const nodes = defineCollector({
  id: 'nodes',
  tells: ['nodes'],
  reads: { everyNode, agents },
  collect: ({ everyNode: read, agents: running }) => ({
    nodes: nodeFacts(read.value, running.value),
    // Without the DaemonSet it is not known where it cannot land; all else about nodes is.
    coverage: { nodes: { covered: read.missing.length === 0, missing: [...read.missing] } },
  }),
});

export function nodeFacts(read: readonly ReadNode[], running: readonly Workload[]): NodeFact[] {
  const pods = running.map(landingPod);
  return read.map(({ fact, landing }) => ({ ...fact, agentCannotLand: fact.virtual ? null : whyNone(landing, pods) }));
}

/** With several agents' DaemonSets (a migration that stopped half-way) it is enough that one can land. */
function whyNone(node: LandingNode, pods: readonly LandingPod[]): string | null {
  const reasons = pods.map((pod) => cannotLand(node, pod));
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

function landingPod({ spec }: Workload): LandingPod {
  const { nodeSelector, affinity, tolerations, hostNetwork } = spec.template.spec;
  return {
    nodeSelector,
    affinity,
    hostNetwork: hostNetwork === true,
    tolerations: tolerations.map(({ key, operator, value, effect }) => ({
      ...(key === null ? {} : { key }),
      ...(operator === null ? {} : { operator }),
      ...(value === null ? {} : { value }),
      ...(effect === null ? {} : { effect }),
    })),
  };
}

export function readNode(object: KubeObject | ObjectMetadata): ReadNode {
  const { metadata: meta, spec, status } = nodeFields.parse(object);
  const { osImage, operatingSystem, architecture, kernelVersion } = status.nodeInfo;
  const waits = notReady(status.conditions);
  const isTrue = (type: string) => status.conditions.some((one) => one.type === type && one.status === 'True');
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
      pressures: pressures.filter(isTrue),
      addresses: shownAddresses.flatMap((type) =>
        status.addresses.filter((one) => one.type === type).map(({ address }) => address),
      ),
      roles: rolesOf(meta.labels),
      providerID: spec.providerID,
      createdAt: meta.creationTimestamp,
      virtual: isVirtualNode({ labels: meta.labels, taints: spec.taints, providerID: spec.providerID }),
    },
    landing: {
      name: meta.name,
      labels: meta.labels,
      taints: spec.taints.map(({ key, value, effect }) => ({ key, effect, ...(value === null ? {} : { value }) })),
    },
  };
}

function rolesOf(labels: Record<string, string>): string[] {
  const named = Object.keys(labels).filter((key) => key.startsWith(roleLabel));
  const roles = named.map((key) => key.slice(roleLabel.length)).filter((role) => role !== '');
  const older = labels['kubernetes.io/role'];
  return [...new Set(older ? [...roles, older] : roles)].sort();
}
