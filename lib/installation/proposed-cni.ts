import { type PlatformKind, platformGuides, runsAgent } from '#lib/spec/index.ts';
import {
  hasProviderAgent,
  type InstallationBasis,
  type InstallationFacts,
  type ProposedField,
} from './installation-facts.ts';
import { type Cni, cniType } from './installation-spec.ts';
import { ipamOfCni } from './operator-defaults.ts';

/**
 * The CNI that connects pods, if more than one is possible, with its fields. Otherwise it is Calico's, which needs no field: IPAM and BGP follow from it
 * (calico.md §2.1). If an answer names another CNI, the fields of the proposed one are dropped.
 */
export function cniFor(
  kind: PlatformKind,
  { facts, choices }: InstallationBasis,
): { type: Cni; fields: readonly ProposedField[] } {
  const found = cniReason(kind, facts);
  const answered = cniType.safeParse(choices.set['cni.type']).data;
  const decided = answered && answered !== found?.type ? { type: answered, because: 'This CNI was chosen.' } : found;
  if (decided === null) return { type: 'Calico', fields: [] };
  const { type, because } = decided;
  const chosen: ProposedField = { path: ['cni', 'type'], value: type, because };
  if (type === 'Calico') return { type, fields: [chosen] };
  return {
    type,
    fields: [
      chosen,
      { path: ['cni', 'ipam', 'type'], value: ipamOfCni[type], because: `The only one that goes with CNI ${type}.` },
      {
        path: ['calicoNetwork', 'bgp'],
        value: 'Disabled',
        because: `With CNI ${type} the provider's own network has the routes.`,
      },
    ],
  };
}

function cniReason(kind: PlatformKind, facts: InstallationFacts): { type: Cni; because: string } | null {
  if (kind === 'gke') return { type: 'GKE', because: 'The only CNI that goes with GKE’s own network.' };
  if (kind === 'aks') return azureCni(facts);
  if (hasProviderAgent(facts, 'AmazonVPC')) {
    const provider =
      facts.platform.provider?.detected || platformGuides.find((row) => row.kind === kind)?.provider.value;
    return !provider || provider === 'EKS'
      ? {
          type: 'AmazonVPC',
          because:
            'DaemonSet kube-system/aws-node connects the pods: they keep their addresses in the VPC, and no overlay is needed. With CNI Calico the plan deletes aws-node first.',
        }
      : {
          type: 'Calico',
          because: `AmazonVPC does not go with ${provider}, and without a value the operator would take it: DaemonSet kube-system/aws-node is there.`,
        };
  }
  return kind === 'eks'
    ? {
        type: 'Calico',
        because: 'No DaemonSet kube-system/aws-node was found, and without a value the operator would take AmazonVPC.',
      }
    : null;
}

/**
 * The CNI on AKS, which has no setting for it in the API: its agent or messages of NotReady nodes show it. If neither does, Azure's is proposed: if Azure's runs,
 * Calico's beside it would break every pod; if not, nothing changes.
 */
function azureCni(facts: InstallationFacts): { type: Cni; because: string } {
  if (hasProviderAgent(facts, 'AzureVNET'))
    return {
      type: 'AzureVNET',
      because: 'DaemonSet kube-system/azure-cns connects the pods; Calico then enforces policy.',
    };
  const nodes = facts.nodes.filter(runsAgent);
  if (nodes.some(({ ready }) => ready))
    return {
      type: 'AzureVNET',
      because:
        'Nodes are Ready before Calico is there, so another CNI connects the pods; Calico then enforces policy. A cluster made with --network-plugin none needs CNI Calico.',
    };
  const waiting = nodes.find(({ notReady }) => notReady?.waitsFor === 'network');
  if (waiting)
    return {
      type: 'Calico',
      because: `Node ${waiting.name} says that it has no network, as in a cluster made with --network-plugin none; without a value the operator would take Azure’s CNI.`,
    };
  return {
    type: 'AzureVNET',
    because:
      'Nothing tells which network this cluster was made with: no node is Ready, and none says that it lacks a network. This is what AKS has unless it was made with --network-plugin none, which needs CNI Calico.',
  };
}
