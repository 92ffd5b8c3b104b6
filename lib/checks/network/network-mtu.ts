import { linkMtusUnder, vxlanOverhead } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { installationId } from '../reading/installation.ts';
import { agentNodes } from '../reading/nodes.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { plannedField } from '../reading/planned-installation.ts';

const field = 'calicoNetwork.mtu';

export const networkMtu = defineCheck({
  id: 'network.mtu',
  group: 'Network',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['installation', 'nodes'],
  title: 'Packets of pods still fit through the network in VXLAN',
  gap: 'The MTU leaves no room for VXLAN',
  topic: 'MTU of pods',
  ifIgnored: 'Large requests hang',
  consequence:
    'Through NodePorts and load balancers small requests work and large ones hang: packets that VXLAN made too large are lost without a word to the sender.',
  remedy: {
    steps: [
      `Look at the MTU of each node's interface (\`ip link\`): the smallest, less ${vxlanOverhead}, is the most that pods may have.`,
      'Set `calicoNetwork.mtu` of the Installation to that, or leave it unset so that each node finds its own.',
      'Pods that run already keep their MTU until they are made anew.',
    ],
    fixIn: 'options',
  },
  source: 'checks.md › Network; pain D2',
  run: (facts, choices) => {
    const { value } = plannedField(facts, choices, field);
    const evidence = [{ object: installationId, path: `spec.${field}`, value: value ?? null }];
    const isSet = typeof value === 'number' && value > 0;
    if (isSet) {
      const links = [...new Set(agentNodes(facts).flatMap(({ providerID }) => linkMtusUnder(providerID)))];
      const full = links.find(({ mtu }) => value > mtu - vxlanOverhead && value <= mtu);
      if (full) {
        const most = full.mtu - vxlanOverhead;
        return {
          kind: 'fail',
          because: `The Installation sets an MTU of ${value}, which leaves no room for the ${vxlanOverhead} bytes of VXLAN on a network of ${full.mtu} (${full.title}): ${most} is the most there.`,
          subjects: [{ ...objectSubject(installationId), detail: `mtu ${value}, ${most} is the most` }],
          evidence,
        };
      }
    }
    const what = isSet ? `pods have an MTU of ${value}` : "pods get the MTU that their node's interface allows";
    const otherwise = notMeasured(
      `${what}, and NodePort packets grow by ${vxlanOverhead} bytes on their way to another node.`,
      "A pod on each node will read the MTU of its interfaces, and send packets of full size to another node's NodePort.",
      { evidence },
    );
    return asMeasured(facts, agentNodes(facts), 'full-size', {
      says: 'Packets of full size reach NodePorts of other nodes.',
      otherwise,
    });
  },
});
