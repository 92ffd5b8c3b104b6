import { type Family, parseAddress } from '#lib/base/ip.ts';
import { interfacePattern } from '#lib/base/patterns/interface-pattern.ts';
import { agreeing } from '#lib/base/words.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck, type Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { sameAddress } from '../reading/endpoint-host.ts';
import { felixEvidence, felixField, felixId } from '../reading/felix.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { listed, quoted, shareOf } from '../wording/sentences.ts';

const field = 'bpfDataIfacePattern';

/** Names of interfaces with the node's address on nearly all machines. A pattern that matches none of them is probably wrong. */
const usual = ['eth0', 'ens5', 'ens192', 'eno1', 'enp0s3', 'enp1s0f0', 'bond0', 'wlan0'];

/** Interfaces of Calico and of the host that are never the network's (calico.md §5: "must not match cali* or tunnels"). */
const never = ['cali0123456789a', 'tunl0', 'vxlan.calico', 'wireguard.cali', 'bpfin.cali', 'lo', 'docker0'];

/** The default covers no bridge, team, VLAN, WireGuard or Tailscale (pain D5). */
export const nodeInterfaces = defineCheck({
  id: 'node.interfaces',
  group: 'Nodes',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['felix', 'nodes'],
  title: 'eBPF sees the main interface of every node',
  gap: 'eBPF would not see the interface of the node',
  topic: 'Interfaces of the nodes',
  ifIgnored: 'Traffic bypasses eBPF, or is dropped',
  consequence:
    'eBPF does not see the traffic of an interface that the pattern misses. It drops traffic of one that the pattern should not match, such as a part of a bond.',
  remedy: {
    steps: [
      'Find the interface that has the address of the node: `ip route get` with the address of another node names it.',
      'Accept this where it begins with en, eth, wl, ww, ib or bond.',
    ],
    details: ['For any other name set bpfDataIfacePattern of FelixConfiguration default so that it matches.'],
    fixIn: 'compatibility',
  },
  source: 'checks.md › Nodes; pain D5, D6',
  run: (facts, choices) => {
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
    }
    const which = value ? `matched by ${quoted(value)}` : "matched by Calico's own pattern";
    const otherwise = notMeasured(
      `the interface with each node's address has to be ${which}.`,
      'A pod on each node will list its interfaces with their kind and say which of them the pattern matches.',
      { evidence },
    );
    const measured = asMeasured(facts, agentNodes(facts), 'interfaces', {
      passed: 'eBPF sees the interface that carries each address.',
      otherwise,
      failing: {
        steps: [
          `Set ${field} of FelixConfiguration default so that it matches the interfaces that are named here.`,
          'Test the nodes again.',
        ],
        command: 'signalbox preflight',
        fixIn: 'options',
      },
    });
    // A measured failure comes first: accepting another address must not hide an interface that eBPF does not see.
    if (measured.kind === 'fail' || choices.goal !== 'enable') return measured;
    return foundElsewhere(facts) ?? measured;
  },
});

function oddness(matches: (name: string) => boolean): string | null {
  const wrong = never.filter(matches);
  if (wrong.length > 0) return `it matches ${listed(wrong)}, which is never the network's`;
  return usual.some(matches) ? null : 'it matches none of the usual names, such as eth0, ens5 or bond0';
}

/**
 * Agents with another address than the node's own, as eBPF mode sends to that address between nodes. One of a bridge (docker0) or of another network may
 * not be reachable, and several nodes may have the same.
 */
function foundElsewhere(facts: Facts): Result | null {
  const nodes = agentNodes(facts);
  const owners = Map.groupBy(
    nodes.flatMap((node) => taken(node).map((address) => ({ node, address }))),
    ({ address }) => address,
  );
  const strange = nodes.flatMap((node) => {
    // A node lists only address families of its kubelet; Calico may use another one too.
    const other = taken(node).filter((one) => {
      // Nearly always the same text, so that addresses of thousands of nodes need not be parsed.
      if (node.addresses.includes(one)) return false;
      const own = node.addresses.filter((address) => familyOf(address) === familyOf(one));
      return own.length > 0 && !own.some((address) => sameAddress(address, one));
    });
    return other.length === 0 ? [] : [{ node, other }];
  });
  if (strange.length === 0) return null;
  return {
    kind: 'fail',
    because: `${shareOf(strange.length, nodes.length, 'node')} ${agreeing(strange.length, 'uses', 'use')} an address for Calico that the node does not list as its own: ${listed(
      strange.map(({ node, other }) => `${node.name} (${other.join(', ')})`),
      4,
    )}.`,
    subjects: strange.map(({ node, other }) => {
      const isShared = other.some((one) => (owners.get(one)?.length ?? 0) > 1);
      return nodeSubject(
        node,
        `Calico uses ${other.join(', ')}${isShared ? ', as other nodes do' : ''}; the node has ${node.addresses.join(', ')}`,
      );
    }),
    remedy: autodetection(facts, strange.some(({ other }) => other.some((one) => familyOf(one) === 4)) ? 4 : 6),
    evidence: strange.flatMap(({ node, other }) =>
      other.map((one) => nodeEvidence(node, `metadata.annotations['${annotationOf[familyOf(one) ?? 4]}']`, one)),
    ),
  };
}

const taken = ({ calicoAddresses = [] }: NodeFact): string[] => calicoAddresses.map((one) => one.split('/')[0] ?? one);

const familyOf = (address: string) => parseAddress(address)?.family ?? null;

const [ipv4Annotation, ipv6Annotation] = names.nodeAddressAnnotations;
const annotationOf = { 4: ipv4Annotation, 6: ipv6Annotation };

/** Settings that choose the agents' addresses, one for IPv4 and one for IPv6 (calico.md §5). */
const settings = {
  4: { variable: 'IP_AUTODETECTION_METHOD', field: 'nodeAddressAutodetectionV4' },
  6: { variable: 'IP6_AUTODETECTION_METHOD', field: 'nodeAddressAutodetectionV6' },
};

function autodetection({ installation: { method, agent } }: Facts, family: Family): Remedy {
  const { variable, field: setting } = settings[family];
  const [namespace, , daemonSet] = (agent ?? 'kube-system/DaemonSet/calico-node').split('/');
  const set = method.startsWith('manifest')
    ? `set ${variable} to \`kubernetes-internal-ip\` in the environment of the agents (\`kubectl set env -n ${shellWord(namespace ?? '')} daemonset ${shellWord(daemonSet ?? '')} ${variable}=kubernetes-internal-ip\`)`
    : `let the agents take the address that the node lists: set \`calicoNetwork.${setting}\` of the Installation to \`kubernetes: NodeInternalIP\`, in place of the method that is there`;
  return {
    steps: [
      'See whether other nodes reach the address that Calico uses: `ip -br address` on one of these nodes.',
      `Where they do not, ${set}. All agents start again.`,
      'Or accept this, where pods have a network of their own.',
    ],
    fixIn: 'options',
  };
}
