import {
  isTrue,
  type KubeObject,
  landingOf,
  landingPodOf,
  nodeKindOf,
  type ObjectMetadata,
  type ReadNode,
  type Workload,
} from '#lib/kube/index.ts';
import {
  cannotLand,
  distributionOf,
  installerOfNode,
  type LandingNode,
  type LandingPod,
  labelledSystem,
  linkOf,
  names,
  notReady,
} from '#lib/spec/index.ts';
import { agents } from '../calico/agents.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { listedNode, nodeListing } from '../reading/sources.ts';
import type { NodeFact } from '../schema.ts';

/** A node, and the labels and taints that decide whether a DaemonSet's pod may land on it. */
export type SurveyedNode = { readonly fact: Omit<NodeFact, 'agentCannotLand'>; readonly landing: LandingNode };

const roleLabel = 'node-role.kubernetes.io/';
const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
const shownAddresses = ['InternalIP', 'ExternalIP'];

export const everyNode = picked(nodeListing, surveyNode);

export const nodes = defineCollector({
  id: 'nodes',
  provides: ['nodes', 'agents'],
  reads: { everyNode, agents },
  collect: ({ everyNode: read, agents: running }) => ({
    nodes: nodeFacts(read.value, running.value),
    // Only `agentCannotLand` needs the agents' DaemonSet.
    coverage: {
      nodes: { covered: read.missing.length === 0, missing: [...read.missing] },
      agents: { covered: running.missing.length === 0, missing: [...running.missing] },
    },
  }),
});

/** The facts about nodes. `running`: the agents' DaemonSets, whose pods may not land on every node. Pure. */
export function nodeFacts(read: readonly SurveyedNode[], running: readonly Workload[]): NodeFact[] {
  const pods = running.map(({ spec }) => landingPodOf(spec.template.spec));
  return read.map(({ fact, landing }) => ({ ...fact, agentCannotLand: fact.virtual ? null : whyNone(landing, pods) }));
}

/** Why no agent can land on the node; null: one can. With two DaemonSets (a migration) one that can land is enough. */
function whyNone(node: LandingNode, pods: readonly LandingPod[]): string | null {
  const reasons = pods.map((pod) => cannotLand(node, pod));
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

/** What the facts keep of a node, from the Node or its metadata. Pure. */
export function surveyNode(object: KubeObject | ObjectMetadata): SurveyedNode {
  const node = listedNode(object);
  const { metadata: meta, spec, status } = node;
  const { osImage, architecture, kernelVersion } = status.nodeInfo;
  const { os, virtual } = nodeKindOf(node);
  const waits = notReady(status.conditions);
  const calicoAddresses = calicoAddressesOf(meta.annotations);
  const zone = meta.labels[names.zoneLabel];
  const link = linkOf(meta.labels);
  const installer = installerOfNode(meta.labels, status.nodeInfo.kubeletVersion);
  const fact: SurveyedNode['fact'] = {
    name: meta.name,
    os,
    architecture: architecture || (meta.labels['kubernetes.io/arch'] ?? ''),
    osImage,
    distribution: distributionOf(osImage),
    kernel: kernelVersion,
    ready: waits === null,
    notReady: waits,
    unschedulable: spec.unschedulable === true,
    pressures: pressures.filter((type) => isTrue(status.conditions, type)),
    addresses: addressesOf(status.addresses),
    roles: rolesOf(meta.labels),
    providerID: spec.providerID,
    createdAt: meta.creationTimestamp,
    computeType: meta.labels['eks.amazonaws.com/compute-type'] ?? null,
    virtual,
  };
  const osLabel = labelledSystem(meta.labels);
  if (osLabel !== os) fact.osLabel = osLabel;
  if (calicoAddresses.length > 0) fact.calicoAddresses = calicoAddresses;
  if (zone !== undefined) fact.zone = zone;
  if (link !== null) fact.link = link;
  if (installer !== null) fact.installer = installer;
  return { fact, landing: landingOf(node) };
}

// Plain loops: with thousands of nodes, lists for each of them would cost much time.

function addressesOf(given: ReadNode['status']['addresses']): string[] {
  const shown: string[] = [];
  for (const type of shownAddresses) for (const one of given) if (one.type === type) shown.push(one.address);
  return shown;
}

function calicoAddressesOf(annotations: Readonly<Record<string, string>>): string[] {
  const found: string[] = [];
  for (const key of names.nodeAddressAnnotations) if (annotations[key] !== undefined) found.push(annotations[key]);
  return found;
}

function rolesOf(labels: Readonly<Record<string, string>>): string[] {
  const roles: string[] = [];
  for (const key in labels) if (key.startsWith(roleLabel) && key !== roleLabel) roles.push(key.slice(roleLabel.length));
  const older = labels['kubernetes.io/role'];
  if (older) roles.push(older);
  return roles.length < 2 ? roles : [...new Set(roles)].sort();
}
