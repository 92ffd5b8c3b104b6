import { hostAndPort } from '#lib/base/ip.ts';
import type { Evidence, Facts, Subject } from '#lib/facts/index.ts';
import { type Choices, names, objectId, resources } from '#lib/spec/index.ts';
import { quoted } from '../wording/sentences.ts';

/** The API endpoint that the checks judge and the plan writes, with who said so, strongest first. */
export type JudgedEndpoint = {
  host: string;
  port: string;
  /** Only a `proposal` is not settled: it satisfies no blocking check until it was accepted (cli.md › Choices). */
  origin: 'chosen' | 'config-map' | 'accepted-proposal' | 'proposal';
};

/** An upgrade writes no endpoint: what could be proposed there is nobody's answer, and only eBPF would need it. */
export function judgedEndpoint({ endpoint }: Facts, choices: Choices): JudgedEndpoint | null {
  if (choices.endpoint) return { ...choices.endpoint, origin: 'chosen' };
  const { configMap, suggested } = endpoint;
  if (configMap && configMap.host !== '' && configMap.port !== '') {
    return { host: configMap.host, port: configMap.port, origin: 'config-map' };
  }
  if (!suggested || choices.goal === 'upgrade') return null;
  const origin = choices.acceptProposals ? 'accepted-proposal' : 'proposal';
  return { host: suggested.host, port: String(suggested.port), origin };
}

/** What a finding about the endpoint names: the ConfigMap that holds it, or the address itself while no object does. */
export function endpointSubject(facts: Facts, endpoint: JudgedEndpoint, detail: string): Subject {
  return endpoint.origin === 'config-map'
    ? configMapSubject(facts.installation.endpointNamespace, detail)
    : { kind: 'Endpoint', namespace: null, name: hostAndPort(endpoint), detail };
}

export function configMapSubject(namespace: string, detail: string): Subject {
  return { kind: resources.configMaps.kind, namespace, name: names.endpointConfigMap, detail };
}

export function configMapId(namespace: string): string {
  return objectId({ resource: resources.configMaps, namespace, name: names.endpointConfigMap });
}

export function endpointEvidence(facts: Facts, endpoint: JudgedEndpoint): Evidence[] {
  if (endpoint.origin !== 'config-map') return [];
  const object = configMapId(facts.installation.endpointNamespace);
  return [
    { object, path: `data.${names.endpointHostKey}`, value: endpoint.host },
    { object, path: `data.${names.endpointPortKey}`, value: endpoint.port },
  ];
}

const origins: Record<JudgedEndpoint['origin'], string> = {
  chosen: 'The chosen endpoint',
  'config-map': 'The endpoint in the ConfigMap',
  'accepted-proposal': 'The accepted endpoint',
  proposal: 'The proposed endpoint',
};

/** `The chosen endpoint "api.example.com:6443"`: how every sentence about it begins. */
export function endpointName(endpoint: JudgedEndpoint): string {
  return `${origins[endpoint.origin]} ${quoted(hostAndPort(endpoint))}`;
}
