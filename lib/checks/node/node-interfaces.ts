import { interfacePattern } from '#lib/base/interface-pattern.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { felixEvidence, felixField, felixId } from '../reading/felix.ts';
import { agentNodes } from '../reading/nodes.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { listed, quoted } from '../wording/sentences.ts';

const field = 'bpfDataIfacePattern';

/** What carries a node's address on nearly all machines: a pattern that matches none of them was written for something else. */
const usual = ['eth0', 'ens5', 'ens192', 'eno1', 'enp0s3', 'enp1s0f0', 'bond0', 'wlan0'];

/** Interfaces of Calico and of the host that are never the network's (calico.md §5: "must not match cali* or tunnels"). */
const never = ['cali0123456789a', 'tunl0', 'vxlan.calico', 'wireguard.cali', 'bpfin.cali', 'lo', 'docker0'];

/** The default covers no bridge, team, VLAN, WireGuard or Tailscale (pain D5). */
export const nodeInterfaces = defineCheck({
  id: 'node.interfaces',
  group: 'Nodes',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['felix'],
  title: 'On every node eBPF sees the interface that carries its address',
  gap: 'eBPF would not see the interface of the node',
  topic: 'Interfaces of the nodes',
  ifIgnored: 'Traffic passes eBPF by, or is dropped',
  consequence:
    'Traffic of an interface that the pattern misses goes past the eBPF programs; of one that it should not match, such as a part of a bond, it is dropped.',
  remedy: {
    steps: [
      'On one node of each kind look which interface carries its address: `ip route get` of another node names it.',
      'If it begins with en, eth, wl, ww, ib or bond, it is matched by default. Else set bpfDataIfacePattern of FelixConfiguration default so that it is.',
      'Acknowledge this when you have looked, and say at which nodes.',
    ],
    fixIn: 'compatibility',
  },
  source: 'checks.md › Nodes; pain D5, D6',
  run: (facts) => {
    const value = felixField(facts, field);
    const evidence = [felixEvidence(facts, field)];
    if (value !== undefined && value !== null && value !== '') {
      const pattern = interfacePattern(value);
      const odd = pattern.kind === 'usable' ? oddness(pattern.matches) : null;
      if (pattern.kind === 'broken' || odd !== null) {
        const what = pattern.kind === 'broken' ? pattern.because : odd;
        return {
          kind: 'fail',
          because: `bpfDataIfacePattern in FelixConfiguration default is ${quoted(value)}: ${what}.`,
          subjects: [{ ...objectSubject(felixId), detail: `${field} ${quoted(value)}` }],
          evidence,
        };
      }
      if (pattern.kind === 'too-involved') {
        return {
          kind: 'unknown',
          because: `bpfDataIfacePattern ${quoted(value)} is too involved to be judged here.`,
          evidence,
        };
      }
    }
    const which = value ? `matched by ${quoted(value)}` : "matched by Calico's own pattern";
    const otherwise = notMeasured(
      `the interface with each node's address has to be ${which}.`,
      'A pod on each node will list its interfaces with their kind and say which of them the pattern matches.',
      { evidence },
    );
    return asMeasured(facts, agentNodes(facts), 'interfaces', {
      says: 'eBPF sees the interface that carries each address.',
      otherwise,
    });
  },
});

function oddness(matches: (name: string) => boolean): string | null {
  const wrong = never.filter(matches);
  if (wrong.length > 0) return `it matches ${listed(wrong)}, which is never the network's`;
  return usual.some(matches) ? null : 'it matches none of the usual names, such as eth0, ens5 or bond0';
}
