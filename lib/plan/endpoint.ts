import { createHash } from 'node:crypto';
import { effectiveEndpoint } from '#lib/checks/index.ts';
import { names } from '#lib/spec/index.ts';
import { isStandard } from './install/installation-document.ts';
import { fieldAt } from './objects/field.ts';
import { installation } from './objects/object-refs.ts';
import { objectOf } from './objects/objects.ts';
import type { PlanContext } from './operation.ts';
import { proxyIsOff, wasOn } from './proxy/proxy-removal.ts';

export type Endpoint = { host: string; port: string };

/** The API server's address that the plan gives to Calico, the same that the checks assess. A proposal that is not accepted keeps the verdict blocked. */
export function plannedEndpoint({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): Endpoint | null {
  const endpoint = effectiveEndpoint(facts, choices);
  return endpoint && { host: endpoint.host, port: endpoint.port };
}

/** The address that workloads have without this plan: the ConfigMap's, or null for the ClusterIP. */
export function earlierEndpoint({ facts }: Pick<PlanContext, 'facts'>): Endpoint | null {
  const present = facts.endpoint.configMap;
  return present && present.host !== '' && present.port !== '' ? { host: present.host, port: present.port } : null;
}

/**
 * eBPF is on without a service proxy before the plan and after its undo, and no address was set. Nothing could replace the address of this plan, so
 * an undo leaves it.
 */
export function staysAfterUndo({ facts }: Pick<PlanContext, 'facts'>): boolean {
  return wasOn({ facts }) && proxyIsOff({ facts }) && earlierEndpoint({ facts }) === null;
}

/** With `bpfNetworkBootstrap` agents find the API server by themselves, and the ConfigMap must not exist (pain A10). */
export function bootstrapsByItself({ before, choices }: Pick<PlanContext, 'before' | 'choices'>): boolean {
  if (choices.goal === 'install' && choices.automatic === true) return true;
  return fieldAt(objectOf(before, installation), ['spec', 'calicoNetwork', 'bpfNetworkBootstrap']) === 'Enabled';
}

/** An installation without eBPF gets an address only if one was chosen: it reaches the API server through the service proxy. */
export function needsEndpoint({ choices }: Pick<PlanContext, 'choices'>): boolean {
  return !isStandard({ choices }) || choices.endpoint !== undefined;
}

/** Marks the operator's pod template, to show with which address its process started. */
export function endpointHash(endpoint: Endpoint): string {
  return createHash('sha256').update(`${endpoint.host}\n${endpoint.port}`).digest('hex').slice(0, 16);
}

/** The data of ConfigMap `kubernetes-services-endpoint` (spec › Endpoints). */
export function endpointData(endpoint: Endpoint): Record<string, string> {
  return { [names.endpointHostKey]: endpoint.host, [names.endpointPortKey]: endpoint.port };
}
