import { hostAndPort } from '#lib/base/ip.ts';
import type { Evidence, Facts, Subject } from '#lib/facts/index.ts';
import { type Choices, type NamedEndpoint, namedEndpoint, names, objectId, resources } from '#lib/spec/index.ts';
import { quoted } from '../wording/sentences.ts';

/** The API endpoint that the checks assess and the plan writes, and its origin. */
export type EffectiveEndpoint = Omit<NamedEndpoint, 'origin'> & {
  /** A `proposal` satisfies no blocking check until it is accepted (cli.md › Choices). */
  origin: NamedEndpoint['origin'] | 'accepted-proposal';
};

/** Null if none is named. A proposal does not count for goals that write no endpoint, such as an upgrade. */
export function effectiveEndpoint({ endpoint }: Facts, choices: Choices): EffectiveEndpoint | null {
  const named = namedEndpoint(endpoint, choices);
  if (named?.origin !== 'proposal') return named;
  return choices.acceptProposals ? { ...named, origin: 'accepted-proposal' } : named;
}

/** The subject of a finding about the endpoint: the ConfigMap that has it, or the address itself if no object has it. */
export function endpointSubject(facts: Facts, endpoint: EffectiveEndpoint, detail: string): Subject {
  return endpoint.origin === 'config-map'
    ? configMapSubject(facts.installation.endpointNamespace, detail)
    : { kind: 'Endpoint', namespace: null, name: hostAndPort(endpoint), detail };
}

/** The ConfigMap of the endpoint in this namespace, as a subject. */
export function configMapSubject(namespace: string, detail: string): Subject {
  return { kind: resources.configMaps.kind, namespace, name: names.endpointConfigMap, detail };
}

/** The ConfigMap of the endpoint in this namespace, as an id. */
export function configMapId(namespace: string): string {
  return objectId({ resource: resources.configMaps, namespace, name: names.endpointConfigMap });
}

/** Host and port as evidence; none for an endpoint that is in no ConfigMap. */
export function endpointEvidence(facts: Facts, endpoint: EffectiveEndpoint): Evidence[] {
  if (endpoint.origin !== 'config-map') return [];
  const object = configMapId(facts.installation.endpointNamespace);
  return [
    { object, path: `data.${names.endpointHostKey}`, value: endpoint.host },
    { object, path: `data.${names.endpointPortKey}`, value: endpoint.port },
  ];
}

const origins: Record<EffectiveEndpoint['origin'], string> = {
  chosen: 'The chosen endpoint',
  'config-map': 'The endpoint in the ConfigMap',
  'accepted-proposal': 'The accepted endpoint',
  proposal: 'The proposed endpoint',
};

/** `The chosen endpoint "api.example.com:6443"`: the subject of sentences about it. */
export function endpointName(endpoint: EffectiveEndpoint): string {
  return `${origins[endpoint.origin]} ${quoted(hostAndPort(endpoint))}`;
}
