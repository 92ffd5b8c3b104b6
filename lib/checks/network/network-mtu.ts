import { isIP } from 'node:net';
import type { Facts, NodeFact, Subject } from '#lib/facts/index.ts';
import { linkMtusUnder, names, vxlanOverhead, vxlanOverheadOverIPv6 } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { installationId } from '../reading/installation.ts';
import { agentNodes, nodeSubject } from '../reading/nodes.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { onSingleNode } from '../reading/on-single-node.ts';
import { plannedField } from '../reading/planned-installation.ts';
import { withDetails } from '../reading/subject-names.ts';
import { shareOf } from '../wording/sentences.ts';

const field = 'calicoNetwork.mtu';

export const networkMtu = defineCheck({
  id: 'network.mtu',
  group: 'Network',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['installation', 'nodes'],
  title: 'The MTU leaves room for VXLAN',
  gap: 'The MTU leaves no room for VXLAN',
  topic: 'MTU of pods',
  ifIgnored: 'Large requests hang',
  consequence:
    'Through NodePorts and load balancers small requests work and large ones hang: packets that VXLAN made too large are dropped silently.',
  remedy: {
    steps: [lessThan('the smallest MTU of a node', vxlanOverhead, ', or leave it unset')],
    details: [
      '`ip link` on each node shows its MTU. Unset, each node finds its own.',
      'Running pods keep their MTU until they are recreated.',
    ],
    fixIn: 'options',
  },
  source: 'checks.md › Network; pain D2',
  run: (facts, choices) => {
    const { value, from } = plannedField(facts, choices, field);
    const evidence = [{ object: installationId, path: `spec.${field}`, value: value ?? null }];
    const isSet = typeof value === 'number' && value > 0;
    const overhead = Math.max(vxlanOverhead, ...agentNodes(facts).map((node) => overheadFor(facts, node)));
    const remedy = {
      ...networkMtu.remedy,
      steps: [lessThan('the smallest MTU of a node', overhead, ', or leave it unset')],
    };
    if (isSet) {
      const links = [...new Set(agentNodes(facts).flatMap(({ providerID }) => linkMtusUnder(providerID)))];
      const full = links.find(({ mtu }) => value > mtu - overhead && value <= mtu);
      if (full) {
        const most = full.mtu - overhead;
        return {
          kind: 'fail',
          because: `The Installation sets an MTU of ${value}, which leaves no room for the ${overhead} bytes of VXLAN on a network of ${full.mtu} (${full.title}): ${most} is the most there.`,
          subjects: [{ ...objectSubject(installationId), detail: `mtu ${value}, ${most} is the most` }],
          remedy: {
            ...remedy,
            command:
              from === 'choices' || choices.goal === 'install'
                ? `signalbox plan --goal ${choices.goal} --set ${field}=${most}`
                : `kubectl patch installation ${names.installation} --type merge -p '{"spec":{"calicoNetwork":{"mtu":${most}}}}'`,
          },
          evidence,
        };
      }
    }
    const single = onSingleNode(facts);
    const what = isSet ? `pods have an MTU of ${value}` : "pods get the MTU that their node's interface allows";
    const otherwise = notMeasured(
      `${what}, and NodePort packets grow by ${overhead} bytes on their way to another node.`,
      "A pod on each node will read the MTU of its interfaces, and send packets of full size to another node's NodePort.",
      { evidence, remedy },
    );
    if (isSet && facts.measured !== null) {
      const tight = tooTight(facts, value);
      if (tight.length > 0)
        return {
          kind: 'fail',
          because: `The Installation sets an MTU of ${value}, which leaves no room for VXLAN on ${shareOf(tight.length, agentNodes(facts).length, 'node')}: ${withDetails(tight)}.`,
          subjects: tight,
          remedy,
          evidence,
        };
      const unmeasured = agentNodes(facts).filter((node) => linkMtuOf(facts, node) === null);
      if (unmeasured.length > 0 && !single)
        return {
          ...otherwise,
          because: `${otherwise.because} ${shareOf(unmeasured.length, agentNodes(facts).length, 'node')} did not tell the MTU of the link.`,
        };
    }
    if (single) return { ...single, restsOn: ['installation', 'nodes'] };
    return asMeasured(facts, agentNodes(facts), 'full-size', {
      passed: 'Packets of full size reach NodePorts of other nodes.',
      otherwise,
      failing: {
        steps: [lessThan('the largest packet that passes between the nodes', overhead), 'Test the nodes again.'],
        details: networkMtu.remedy.details ?? [],
        command: 'signalbox preflight',
        fixIn: 'options',
      },
    });
  },
});

/** `remainder`: what may be done instead, at the end of the sentence. */
function lessThan(what: string, overhead: number, remainder = ''): string {
  return `Set \`calicoNetwork.mtu\` of the Installation to ${what}, less ${overhead}${remainder}.`;
}

/** Bytes that VXLAN adds to the packets of this node's pods. With both families the larger counts: a pod has one MTU for both. */
function overheadFor({ cluster, pools }: Facts, { addresses }: NodeFact): number {
  const podsHaveIPv6 = [...cluster.podCIDRs, ...pools.map(({ cidr }) => cidr)].some((cidr) => cidr.includes(':'));
  const isOverIPv6 = addresses.length > 0 && !addresses.some((address) => isIP(address) === 4);
  return podsHaveIPv6 || isOverIPv6 ? vxlanOverheadOverIPv6 : vxlanOverhead;
}

const linkMtuOf = ({ measured }: Facts, { name }: NodeFact): number | null =>
  measured?.nodes.find(({ node }) => node === name)?.linkMtu ?? null;

/** Nodes whose link is too small for VXLAN packets of pods with this MTU. Test packets only show that the link's own MTU passes. */
function tooTight(facts: Facts, mtu: number): Subject[] {
  return agentNodes(facts).flatMap((node) => {
    const link = linkMtuOf(facts, node);
    const most = link === null ? null : link - overheadFor(facts, node);
    return most === null || mtu <= most ? [] : [nodeSubject(node, `its link has ${link}, ${most} is the most`)];
  });
}
