import { type Goal, type MissingRule, names, type RoleKind, resources, roleObjects } from '#lib/spec/index.ts';
import { probeRules } from './objects/rights.ts';
import { watchRules } from './watch/watch-objects.ts';

const kind: RoleKind = {
  id: 'probe',
  needed: 'optional',
  purpose: 'tests the nodes and watches Services on them, by pods in namespaces that it makes and deletes',
  without:
    'what only a node tells is not verified, and you accept it with a reason; a run does not say how long Services were gone',
  fits: () => true,
};

/** A right that is not required: without it refused pods are reported later, and without the reason. */
const whyRefused: readonly MissingRule[] = [
  { verb: 'list', group: resources.events.group, resource: resources.events.plural },
];

/**
 * The rights of an account that measures on nodes, for the Roles of `signalbox rbac`. The namespaces are deleted after each test, and Roles in them
 * too, so rights in them are granted in all namespaces.
 */
export function probeRoleSet(goal: Goal) {
  const name = `${names.fieldManager}-${goal}-${kind.id}`;
  const rules = [...probeRules(), ...watchRules, ...whyRefused].map(({ namespace: _made, ...rule }) => rule);
  return {
    kind,
    name,
    roles: roleObjects(name, rules),
    escalations: [
      'create daemonsets and namespaces: the holder can run privileged pods on every node, and is root there.',
    ],
  };
}
