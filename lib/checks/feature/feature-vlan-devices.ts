import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { felixField, felixId } from '../reading/felix.ts';
import { installationId } from '../reading/installation.ts';
import { agentNodes } from '../reading/nodes.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { plannedField } from '../reading/planned-installation.ts';
import { listed, quoted } from '../wording/sentences.ts';

/** `bond0.100`, `eth0\.100`, `vlan.*`: the ways in which settings name tagged interfaces. */
const tagged = /\bvlan|[a-z]\d+\\?\.\d{1,4}(?!\d)/i;

const autodetection = ['nodeAddressAutodetectionV4', 'nodeAddressAutodetectionV6'].map(
  (family) => `calicoNetwork.${family}.interface`,
);

export const featureVlanDevices = defineCheck({
  id: 'feature.vlan-devices',
  group: 'Features',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['installation', 'felix'],
  title: 'No node uses interfaces with a VLAN tag',
  gap: 'Nodes use VLAN-tagged interfaces',
  topic: 'VLAN-tagged interfaces',
  ifIgnored: 'Tagged packets may be dropped',
  consequence:
    'eBPF programs do not read VLAN tags: on such an interface, or on the one below it, they may drop packets as malformed.',
  remedy: {
    steps: ['Accept this where `ip -d link show type vlan` shows nothing that the cluster uses.'],
    details: [
      'If a node has its address on such an interface, let the network switch remove the tag, or keep the standard data plane.',
    ],
    fixIn: 'compatibility',
  },
  source: 'spec › Limits › Unsupported features; pain D5',
  run: (facts, choices) => {
    const settings = [
      ...autodetection.map((path) => ({
        object: installationId,
        path: `spec.${path}`,
        value: plannedField(facts, choices, path).value,
      })),
      { object: felixId, path: 'spec.bpfDataIfacePattern', value: felixField(facts, 'bpfDataIfacePattern') },
    ];
    const named = settings.filter(({ value }) => typeof value === 'string' && tagged.test(value));
    if (named.length > 0) {
      const details = named.map(({ path, value }) => `${path} is ${quoted(value)}`);
      return {
        kind: 'fail',
        because: `Settings name interfaces with a VLAN tag: ${listed(details)}.`,
        subjects: named.map(({ object, path, value }) => ({
          ...objectSubject(object),
          detail: `${path} ${quoted(value)}`,
        })),
        evidence: named,
      };
    }
    const otherwise = notMeasured(
      'nodes may have interfaces with a VLAN tag that no setting names.',
      'A pod on each node will list its interfaces with their kind.',
    );
    return asMeasured(facts, agentNodes(facts), 'vlan-devices', {
      passed: 'No address is reached through a tagged interface.',
      otherwise,
      failing: {
        steps: [
          'Let the switch of the network take the tag off, and test the nodes again.',
          'Or keep the standard data plane on this cluster.',
        ],
        command: 'signalbox preflight',
      },
    });
  },
});
