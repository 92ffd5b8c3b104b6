import { isByOperator, isEnterprise, objectId, releaseAtLeast, resources } from '#lib/spec/index.ts';
import { type AgentRollout, everyNode } from '../../agent-rollout.ts';
import { fieldAt } from '../../objects/field.ts';
import { installation as installationRef } from '../../objects/object-refs.ts';
import { objectOf } from '../../objects/objects.ts';
import type { PlanContext } from '../../operation.ts';

/** The first release with flow logs (spec › Versioning). */
const firstRelease = 'v3.30.0';

export const goldmane = { resource: resources.goldmanes, name: 'default' };
export const whisker = { resource: resources.whiskers, name: 'default' };

/** Why flow logs cannot be turned on once `version` runs, as a sentence; null if they can. `version` null: unknown. */
export function whyNoFlowLogs(
  { installation, resources: { objects } }: PlanContext['facts'],
  version: string | null,
): string | null {
  if (!isByOperator(installation)) return "Flow logs need Calico's operator, and this Calico is not kept by it.";
  if (isEnterprise(fieldAt(objectOf(objects, installationRef), ['spec', 'variant'])))
    return 'Calico Enterprise has flow logs of its own, in Elasticsearch: look at its Manager.';
  if (version === null || releaseAtLeast(version, firstRelease) !== 'yes')
    return `Flow logs came with Calico v3.30, and ${version ?? 'which release runs is not known'}${version === null ? '' : ' runs'}. Upgrade first.`;
  if (objectOf(objects, goldmane)) return `Flow logs are on already: ${objectId(goldmane)} is there.`;
  return null;
}

/** The sentence about the restarts that a change of flow logs causes. */
export const restartsInWords = (nodes: AgentRollout['nodes']) =>
  `The agent of ${everyNode(nodes)} restarts, one node after the other. Traffic continues, and policies change only once an agent is back.`;
