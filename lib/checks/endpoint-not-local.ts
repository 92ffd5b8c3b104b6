import { defineEndpointCheck } from './framework/endpoint-check.ts';
import { isInCidr } from './reading/address.ts';
import { endpointEvidence, endpointName, endpointSubject } from './reading/judged-endpoint.ts';

/** Addresses that mean another machine on every machine. RFC 6890. */
const localRanges: readonly { cidr: string; detail: string }[] = [
  { cidr: '127.0.0.0/8', detail: 'is a loopback address' },
  { cidr: '::1/128', detail: 'is a loopback address' },
  { cidr: '169.254.0.0/16', detail: 'is a link-local address' },
  { cidr: 'fe80::/10', detail: 'is a link-local address' },
  { cidr: '0.0.0.0/8', detail: 'is the unspecified address' },
  { cidr: '::/128', detail: 'is the unspecified address' },
];

const localName = /^(?:.+\.)?localhost(?:\.localdomain)?$/;

/** Talos' node-local proxy for the API: https://www.talos.dev/latest/kubernetes-guides/configuration/kubeprism/ */
const kubePrismPort = '7445';

export const endpointNotLocal = defineEndpointCheck({
  id: 'endpoint.not-local',
  group: 'API endpoint',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: [],
  title: 'The endpoint is not an address that each machine has for itself',
  consequence:
    'Inside a pod such an address is the pod itself: agents on the host network seem fine, while calico-kube-controllers and the API server of Calico crash-loop.',
  remedy: {
    steps: [
      'Choose an address that is the same machine from everywhere: a load balancer, or a stable address of an API server.',
      'Check again.',
    ],
    fixIn: 'endpoint',
  },
  source: 'pain A1',
  judge: (endpoint, address, facts) => {
    const range = address.kind === 'ip' ? localRanges.find(({ cidr }) => isInCidr(address.text, cidr)) : undefined;
    const local =
      range?.detail ?? (address.kind === 'name' && localName.test(address.text) ? 'is a name for loopback' : null);
    if (local === null)
      return { kind: 'pass', because: `${endpointName(endpoint)} is the same machine from everywhere.` };
    const detail = endpoint.port === kubePrismPort ? `${local} (Talos' KubePrism)` : local;
    return {
      kind: 'fail',
      because: `${endpointName(endpoint)} ${detail}.`,
      subjects: [endpointSubject(facts, endpoint, detail)],
      evidence: endpointEvidence(facts, endpoint),
    };
  },
});
