import { type Goal, type MissingRule, names, type RoleKind, resources, roleObjects } from '#lib/spec/index.ts';
import { aggregatorBundle, aggregatorName, clientPairs } from './client/names.ts';

const kind: RoleKind = {
  id: 'flows',
  needed: 'optional',
  purpose: 'reads flow logs, over a port that is forwarded to their aggregator, with the certificate of Whisker',
  without: 'signalbox flows and the page Flows say which right is missing; nothing else needs it',
  fits: () => true,
};

const namespace = names.calicoNamespace;
const [whiskersPair] = clientPairs;
const portforward = { group: '', resource: 'pods', subresource: 'portforward', namespace };

/**
 * The rights that reading flow logs needs, one verb per rule. Port-forwarding by WebSocket needs *get*, and since Kubernetes v1.35 also *create*
 * (kubernetes.io › Authorization, read 2026-11-23).
 */
const flowRules: readonly MissingRule[] = [
  { verb: 'get', ...kindOf(resources.installations), name: names.installation },
  { verb: 'get', ...kindOf(resources.goldmanes), name: 'default' },
  { verb: 'get', ...kindOf(resources.services), namespace, name: aggregatorName },
  { verb: 'get', ...kindOf(resources.configMaps), namespace, name: aggregatorBundle },
  { verb: 'get', ...kindOf(resources.secrets), namespace, name: whiskersPair },
  { verb: 'list', ...kindOf(resources.pods), namespace },
  { verb: 'get', ...portforward },
  { verb: 'create', ...portforward },
];

/** The rights of an account that reads flow logs, for the Roles of `signalbox rbac`. */
export function flowRoleSet(goal: Goal) {
  const name = `${names.fieldManager}-${goal}-${kind.id}`;
  return {
    kind,
    name,
    roles: roleObjects(name, flowRules),
    escalations: [
      `get Secret ${whiskersPair}: the holder can read all flows of the cluster, and report flows that never were.`,
      `forward ports of pods in ${namespace}: RBAC cannot limit it to one of them, so the holder reaches whatever listens there, Whisker without a sign-in included.`,
    ],
  };
}

function kindOf({ group, plural }: { group: string; plural: string }) {
  return { group, resource: plural };
}
