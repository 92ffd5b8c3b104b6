import { isInCidr } from '#lib/base/ip.ts';
import { localRanges } from '#lib/spec/index.ts';
import { defineEndpointCheck } from '../framework/endpoint-check.ts';
import { endpointEvidence, endpointName, endpointSubject } from '../reading/effective-endpoint.ts';

const localName = /^(?:.+\.)?localhost[46]?(?:\.localdomain[46]?)?$|^ip6-(?:localhost|loopback)$/;

/** Talos' node-local proxy for the API: https://www.talos.dev/latest/kubernetes-guides/configuration/kubeprism/ */
const kubePrismPort = '7445';

export const endpointNotLocal = defineEndpointCheck({
  id: 'endpoint.not-local',
  group: 'API endpoint',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: [],
  title: 'The endpoint is the same machine from everywhere',
  gap: 'The endpoint means another machine on each node',
  topic: 'Endpoint seen from each machine',
  ifIgnored: "Calico's pods crash-loop",
  consequence:
    'Inside a pod, such an address means the pod itself. Agents on the host network work, but calico-kube-controllers and calico-apiserver crash-loop.',
  choosesAnother: true,
  remedy: {
    steps: [
      'Choose an address that is the same machine from everywhere: a load balancer, or a stable address of an API server.',
      'Check again.',
    ],
    fixIn: 'endpoint',
  },
  source: 'pain A1',
  evaluate: (endpoint, address, facts) => {
    const range = address.kind === 'ip' ? localRanges.find(({ cidr }) => isInCidr(address.text, cidr)) : undefined;
    const isLocalName = address.kind === 'name' && localName.test(address.text);
    const local = range ? `is ${range.meaning}` : isLocalName ? 'is a name for loopback' : null;
    if (local === null)
      return { kind: 'pass', because: `${endpointName(endpoint)} means the same from every machine.` };
    const detail = endpoint.port === kubePrismPort ? `${local} (Talos' KubePrism)` : local;
    return {
      kind: 'fail',
      because: `${endpointName(endpoint)} ${detail}.`,
      subjects: [endpointSubject(facts, endpoint, detail)],
      evidence: endpointEvidence(facts, endpoint),
    };
  },
});
