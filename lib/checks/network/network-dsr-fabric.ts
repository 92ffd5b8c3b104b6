import { agreeing } from '#lib/base/words.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import { type Choices, type Cloud, cloudOf } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { felixEvidence, felixField } from '../reading/felix.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { listed, shareOf } from '../wording/sentences.ts';

/** Clouds that drop a packet whose source is another machine's address, and what turns that off (pain D4). */
const checksSources: Partial<Record<Cloud['providerID'], string>> = {
  'aws://':
    'On AWS let Calico turn the check off: `awsSrcDstCheck: Disable` in FelixConfiguration default, with the right ec2:ModifyInstanceAttribute.',
  'azure://': 'On Azure turn on IP forwarding for the network interface of each node.',
  'gce://': 'On Google Cloud machines need `canIpForward`, which is set when they are made.',
  'openstack://': 'On OpenStack add the addresses of the other nodes to the allowed address pairs of each port.',
};

export const networkDsrFabric = defineCheck({
  id: 'network.dsr-fabric',
  group: 'Network',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['nodes', 'felix'],
  title: 'The network lets a node answer for another node (DSR)',
  gap: 'The network may drop answers of another node (DSR)',
  topic: 'DSR in this network',
  ifIgnored: 'NodePort connections time out',
  consequence:
    'A request to the NodePort of one node reaches a pod on another node, but the network drops the reply: the connection times out.',
  remedy: {
    steps: [
      'Leave DSR off (`bpfExternalServiceMode: Tunnel`): replies then return through the first node.',
      'Check again.',
    ],
    fixIn: 'options',
  },
  source: 'checks.md › Network; pain D4',
  appliesTo: (facts, { dsr }) => {
    if (isDsrChosen(facts, { dsr })) return true;
    return {
      because: 'Direct server return (DSR) is not chosen.',
      restsOn: dsr === undefined ? ['felix'] : [],
    };
  },
  run: (facts) => {
    const nodes = agentNodes(facts);
    const otherwise = notMeasured(
      'with DSR a node answers the client with the address of another node, and firewalls and switches may drop that.',
      'A pod on each node will send with the address of another node as its source, to a node behind a router.',
      { evidence: [felixEvidence(facts, 'bpfExternalServiceMode')] },
    );
    const measured = asMeasured(facts, nodes, 'foreign-source', {
      passed: 'A packet with the address of another node arrives at a node behind a router.',
      otherwise,
    });
    if (measured.kind !== 'unknown') return measured;
    const isOffOnAws = felixField(facts, 'awsSrcDstCheck') === 'Disable';
    const checked = nodes.filter((node) => {
      const remedy = remedyOf(node);
      return remedy !== undefined && !(isOffOnAws && cloudOf(node.providerID)?.providerID === 'aws://');
    });
    if (checked.length > 0) {
      const clouds = [...new Set(checked.map(({ providerID }) => cloudOf(providerID)?.title ?? ''))];
      const remedies = [...new Set(checked.map(remedyOf).filter((remedy) => remedy !== undefined))];
      return {
        kind: 'fail',
        because: `DSR is chosen, and ${shareOf(checked.length, nodes.length, 'node').replace('The', 'the')} ${agreeing(checked.length, 'is', 'are')} on ${listed(clouds)}, which drops packets that carry another machine's address as their source.`,
        subjects: checked.map((node) => nodeSubject(node, cloudOf(node.providerID)?.title ?? '')),
        remedy: {
          ...networkDsrFabric.remedy,
          steps: [...networkDsrFabric.remedy.steps.slice(0, -1), ...remedies, 'Accept this when that is done.'],
        },
        evidence: [
          felixEvidence(facts, 'awsSrcDstCheck'),
          ...checked.slice(0, 50).map((node) => nodeEvidence(node, 'spec.providerID', node.providerID)),
        ],
      };
    }
    return measured;
  },
});

/** Whether DSR is on: by the answers, otherwise by Felix's present setting. */
export function isDsrChosen(facts: Facts, { dsr }: Pick<Choices, 'dsr'>): boolean {
  return dsr ?? felixField(facts, 'bpfExternalServiceMode') === 'DSR';
}

function remedyOf({ providerID }: NodeFact): string | undefined {
  const cloud = cloudOf(providerID);
  return cloud === null ? undefined : checksSources[cloud.providerID];
}
