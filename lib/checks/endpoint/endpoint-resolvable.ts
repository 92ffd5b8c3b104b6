import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, names, platformIn, platformOf } from '#lib/spec/index.ts';
import { defineEndpointCheck, ofAnAddressForAll } from '../framework/endpoint-check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { reachedFromNodes } from '../measured/reached-from-nodes.ts';
import {
  type EffectiveEndpoint,
  endpointEvidence,
  endpointName,
  endpointSubject,
} from '../reading/effective-endpoint.ts';
import { probeOf } from '../reading/endpoint-probe.ts';
import { listed } from '../wording/sentences.ts';

/** Names that a node's resolver probably does not know, and why. The first match counts. */
const privateNames: readonly { matches: RegExp; meaning: string }[] = [
  {
    matches: /(^|\.)cluster\.local$|\.svc$|^kubernetes(\.default)?$/,
    meaning:
      'is a name of cluster DNS, or of a hosts file that only the nodes have: pods and a node that starts cannot ask for it',
  },
  { matches: /\.local$/, meaning: 'ends in .local, which belongs to mDNS and is in no DNS zone' },
  { matches: /^[^.]+$/, meaning: 'has no dot: it resolves only where a search domain or a hosts file completes it' },
];

const measurement =
  'A pod on the host network with dnsPolicy Default will ask for the name on each node, as the node itself does.';

export const endpointResolvable = defineEndpointCheck({
  id: 'endpoint.resolvable',
  group: 'API endpoint',
  severity: 'warning',
  followsFrom: ofAnAddressForAll,
  goals: ['install', 'enable'],
  reads: ['endpointProbe'],
  title: "Every node can resolve the endpoint's name",
  gap: "Nodes may be unable to resolve the endpoint's name",
  topic: 'Name of the endpoint on each node',
  ifIgnored: 'Restarted nodes stay NotReady',
  consequence:
    'This works until a node restarts. Cluster DNS is not up yet then, pods do not read hosts files, and the node never becomes Ready.',
  remedy: {
    steps: [
      'Add the name to the DNS servers of the nodes, or choose an IP address.',
      'Or restart one node after the switch, and check that it becomes Ready.',
    ],
    fixIn: 'endpoint',
  },
  source: 'pain A3, A4',
  evaluate: (endpoint, address, facts, choices) => {
    if (address.kind === 'ip')
      return {
        kind: 'pass',
        because: `${endpointName(endpoint)} is an address: nothing has to resolve it.`,
        restsOn: [],
      };
    if (isProxyLocal(address.text, facts, choices))
      return {
        kind: 'pass',
        because: `MKE answers ${names.proxyOfMke} on every node by itself.`,
        restsOn: ['platform'],
      };
    if (isContainerName(address.text, facts, choices))
      return {
        kind: 'pass',
        because: "The container engine's own DNS knows the machines of a kind cluster by this name.",
        restsOn: ['platform'],
      };
    const known = privateNames.find(({ matches }) => matches.test(address.text));
    if (known) return fail(facts, endpoint, known.meaning);

    const seen = reachedFromNodes(facts, endpoint);
    if (seen?.kind === 'pass') return { ...seen, because: `${address.text} resolves on every node.` };
    const probe = probeOf(facts, endpoint);
    if ('because' in probe)
      return notMeasured(`each node has to resolve ${address.text}.`, measurement, { restsOn: [] });
    const { name } = probe;
    const evidence = [{ object: endpointSubject(facts, endpoint, '').name, path: 'DNS', value: name }];
    if (!name.resolved)
      return notMeasured(
        `each node has to resolve ${address.text}. From this machine it does not resolve (${name.because}).`,
        measurement,
        { evidence },
      );
    if (name.by === 'machine')
      return fail(facts, endpoint, 'is known to this machine by its hosts file or mDNS, and DNS does not have it');
    if (name.by === 'undecided')
      return notMeasured(
        `${address.text} has to be in DNS. This machine knows it, and its name servers did not answer.`,
        measurement,
        { evidence },
      );
    return { kind: 'pass', because: `DNS has ${address.text}: ${addressesInWords(name)}.`, evidence };
  },
});

type Resolved = Extract<Exclude<Facts['resources']['endpointProbe'], { because: string }>['name'], { resolved: true }>;

function addressesInWords({ records, aliases, addresses }: Resolved): string {
  const ttl = Math.min(...records.map(({ ttlSeconds }) => ttlSeconds));
  const over = aliases.length > 0 ? `, over ${listed(aliases)}` : '';
  return `${listed(records.length > 0 ? records.map(({ address }) => address) : addresses)}${over}${Number.isFinite(ttl) ? `, kept for ${counted(ttl, 'second')}` : ''}`;
}

/** spec › Per-platform values, MKE: each node runs a reverse proxy under this name. */
function isProxyLocal(name: string, facts: Facts, choices: Choices): boolean {
  const { endpoint } = platformOf({ facts, choices });
  return name === names.proxyOfMke && endpoint.includes('proxy-local');
}

/** kind's nodes are containers that ask the container engine's resolver: https://docs.docker.com/engine/network/#dns-services */
function isContainerName(name: string, facts: Facts, choices: Choices): boolean {
  const kind = platformIn(facts, choices);
  return kind === 'kind' && /^[a-z0-9-]+-(control-plane\d*|external-load-balancer)$/.test(name);
}

function fail(facts: Facts, endpoint: EffectiveEndpoint, detail: string) {
  return {
    kind: 'fail' as const,
    because: `${endpointName(endpoint)} ${detail}.`,
    subjects: [endpointSubject(facts, endpoint, detail)],
    evidence: endpointEvidence(facts, endpoint),
  };
}
