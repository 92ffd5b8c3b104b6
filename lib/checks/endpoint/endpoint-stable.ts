import { cloudOf } from '#lib/spec/index.ts';
import { defineEndpointCheck, ofAnAddressForAll } from '../framework/endpoint-check.ts';
import { endpointEvidence, endpointName, endpointSubject } from '../reading/effective-endpoint.ts';
import { hostOf, sameAddress } from '../reading/endpoint-host.ts';
import { nodeEvidence } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

export const endpointStable = defineEndpointCheck({
  id: 'endpoint.stable',
  group: 'API endpoint',
  severity: 'warning',
  followsFrom: ofAnAddressForAll,
  goals: ['install', 'enable'],
  reads: ['apiServers', 'nodes'],
  title: 'The endpoint survives the loss of one machine',
  gap: 'The endpoint depends on a single machine',
  topic: 'Endpoint when a machine goes away',
  ifIgnored: 'Every node can lose the API server',
  consequence:
    'When that machine is replaced or gets another address, every node loses the API server at the same moment.',
  choosesAnother: true,
  remedy: {
    steps: [
      'Put a load balancer or a DNS name in front of the API servers and choose that.',
      'Or accept this, where the only machine keeps its address.',
    ],
    fixIn: 'endpoint',
  },
  source: 'spec › Rules for the address; pain A7',
  evaluate: (endpoint, address, facts) => {
    if (address.kind === 'name') {
      return {
        kind: 'pass',
        because: `${endpointName(endpoint)} is a name, which can follow a replaced machine.`,
        restsOn: [],
      };
    }
    const { apiServers } = facts.endpoint;
    const isOneOfSeveral =
      apiServers.length > 1 && apiServers.some((server) => sameAddress(hostOf(server), address.text));
    const node = facts.nodes.find(({ addresses }) => addresses.some((one) => sameAddress(one, address.text)));
    const cloud = node ? cloudOf(node.providerID) : null;
    const doubts = [
      ...(isOneOfSeveral ? [`is only one of ${apiServers.length} API servers (${listed(apiServers)})`] : []),
      ...(node && cloud ? [`is the address of node ${node.name}, which ${cloud.title} may change`] : []),
    ];
    if (doubts.length === 0)
      return { kind: 'pass', because: `${endpointName(endpoint)} is not recognised as a single node's address.` };
    const detail = listed(doubts);
    return {
      kind: 'fail',
      because: `${endpointName(endpoint)} ${detail}.`,
      subjects: [endpointSubject(facts, endpoint, detail)],
      evidence: [
        ...endpointEvidence(facts, endpoint),
        ...(isOneOfSeveral
          ? [{ object: 'default/EndpointSlice/kubernetes', path: 'endpoints', value: apiServers }]
          : []),
        ...(node && cloud ? [nodeEvidence(node, 'spec.providerID', node.providerID)] : []),
      ],
    };
  },
});
