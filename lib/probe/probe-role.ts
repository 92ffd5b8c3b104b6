import { type Goal, type MissingRule, names, type RoleKind, resources, roleObjects } from '#lib/spec/index.ts';
import { probeRules } from './objects.ts';
import { watchRules } from './watch-objects.ts';

const kind: RoleKind = {
  id: 'probe',
  needed: 'optional',
  purpose: 'tests the nodes and watches services on them, by pods in namespaces that it makes and deletes',
  without:
    'what only a node tells is not verified, and you accept it with a reason; a run does not say how long services were gone',
  fits: () => true,
};

/** Asked of nobody: whoever lacks it hears later, and less, of pods that may not be made. */
const whyRefused: readonly MissingRule[] = [
  { verb: 'list', group: resources.events.group, resource: resources.events.plural },
];

/**
 * What an account needs to measure on nodes, for the Roles of `signalbox rbac`. The namespaces go after each test and take a Role in them along: what
 * lies in one is granted in all.
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
