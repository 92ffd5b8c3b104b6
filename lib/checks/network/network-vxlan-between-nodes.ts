import { felixDefaults } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { felixField } from '../reading/felix.ts';
import { agentNodes } from '../reading/nodes.ts';
import { onSingleNode } from '../reading/on-single-node.ts';

/** Unknown until a preflight pod has tested it: plain UDP proves nothing, `nc -u` answered while VXLAN did not pass (pain D1). */
export const networkVxlanBetweenNodes = defineCheck({
  id: 'network.vxlan-between-nodes',
  group: 'Network',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: [],
  title: 'VXLAN passes between all nodes, both ways',
  gap: 'VXLAN does not pass between all nodes',
  topic: 'VXLAN between nodes',
  ifIgnored: 'NodePorts time out on other nodes',
  consequence:
    'NodePorts and load balancers answer only on nodes that run a pod of the Service. On every other node they time out.',
  remedy: {
    steps: ['Accept this where the UDP port is open between all nodes, both ways, host firewalls included.'],
    fixIn: 'compatibility',
  },
  source: 'spec › What the service does, item 4; pain D1',
  run: (facts, { goal }) => {
    const single = onSingleNode(facts);
    if (single) return single;
    const port = felixField(facts, 'vxlanPort');
    const udp = typeof port === 'number' ? port : felixDefaults.vxlanPort;
    const otherwise = notMeasured(
      `NodePort traffic crosses nodes in VXLAN, on UDP port ${udp}.`,
      `Pods on the nodes will send each other VXLAN packets to UDP port ${udp}, both ways.`,
      {
        remedy: {
          ...networkVxlanBetweenNodes.remedy,
          command: `signalbox check --goal ${goal} --acknowledge network.vxlan-between-nodes='UDP ${udp} is open between all nodes'`,
        },
      },
    );
    return asMeasured(facts, agentNodes(facts), 'vxlan', {
      passed: `UDP ${udp} passes both ways.`,
      otherwise,
      failing: {
        steps: [
          `Open UDP port ${udp} between all nodes, both ways: in security groups, network ACLs and the firewalls of the hosts.`,
          'Test the nodes again.',
        ],
        command: 'signalbox preflight',
      },
    });
  },
});
