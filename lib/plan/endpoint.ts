import { createHash } from 'node:crypto';
import { judgedEndpoint } from '#lib/checks/index.ts';
import { names } from '#lib/spec/index.ts';
import { isStandard } from './install/installation-document.ts';
import { fieldAt } from './objects/field.ts';
import { installation } from './objects/object-refs.ts';
import { objectOf } from './objects/objects.ts';
import type { PlanContext } from './operation.ts';
import { proxyIsOff, wasOn } from './proxy/proxy-removal.ts';

export type Endpoint = { host: string; port: string };

/** The API server's address that the plan gives to Calico: the one that the checks judge. A mere proposal keeps the verdict blocked until it was accepted. */
export function plannedEndpoint({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): Endpoint | null {
  const judged = judgedEndpoint(facts, choices);
  return judged && { host: judged.host, port: judged.port };
}

/** What workloads carry without this plan: the ConfigMap's address, or null for the ClusterIP. */
export function earlierEndpoint({ facts }: Pick<PlanContext, 'facts'>): Endpoint | null {
  const present = facts.endpoint.configMap;
  return present && present.host !== '' && present.port !== '' ? { host: present.host, port: present.port } : null;
}

/**
 * eBPF is on without a service proxy, before the plan and after its undo, and there was no address: nothing could stand in for the one
 * that this plan gives, so nobody takes it away.
 */
export function staysAfterUndo({ facts }: Pick<PlanContext, 'facts'>): boolean {
  return wasOn({ facts }) && proxyIsOff({ facts }) && earlierEndpoint({ facts }) === null;
}

/** With `bpfNetworkBootstrap` the agents find the API server by themselves, and the ConfigMap must not be there (pain A10). */
export function bootstrapsByItself({ before, choices }: Pick<PlanContext, 'before' | 'choices'>): boolean {
  if (choices.goal === 'install' && choices.automatic === true) return true;
  return fieldAt(objectOf(before, installation), ['spec', 'calicoNetwork', 'bpfNetworkBootstrap']) === 'Enabled';
}

/** A standard installation is told an address only where one was chosen: through the service proxy it finds the API server by itself. */
export function isTold({ choices }: Pick<PlanContext, 'choices'>): boolean {
  return !isStandard({ choices }) || choices.endpoint !== undefined;
}

/** What the operator's pod template is marked with, so that it can be seen which address its process was started with. */
export function endpointHash(endpoint: Endpoint): string {
  return createHash('sha256').update(`${endpoint.host}\n${endpoint.port}`).digest('hex').slice(0, 16);
}

export function endpointData(endpoint: Endpoint): Record<string, string> {
  return { [names.endpointHostKey]: endpoint.host, [names.endpointPortKey]: endpoint.port };
}
