import { stringify } from 'yaml';
import { clusterRole, namespacesForRoles } from '#lib/plan/index.ts';
import { type Goal, goals } from '#lib/spec/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { choiceFlags, outputFlags } from '../global-flags.ts';
import { formatOf } from '../output.ts';

export const rbac: Command = {
  name: 'rbac',
  arguments: '',
  summary: 'The ClusterRole and Roles that a goal needs, for `kubectl apply -f -`. Reads no cluster.',
  flags: { goal: choiceFlags.goal, ...outputFlags },
  async run({ flags, terminal }) {
    const asked = flags.text('goal') ?? 'enable';
    const goal = goals.find((one) => one === asked);
    if (!goal) throw usageError(`--goal: ${JSON.stringify(asked)} is not one of ${goals.join(', ')}`);
    const format = formatOf(flags, ['yaml', 'table', 'json'] as const);
    const objects = [...namespacesForRoles(goal), ...clusterRole(goal)];
    if (format === 'json') terminal.out(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2));
    else terminal.out(reasons(goal) + objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n'));
    return exit.fine;
  },
};

/** Why an account is given so much, for whoever reads it before applying it. */
function reasons(goal: Goal): string {
  if (goal !== 'install') return '';
  return [
    'escalate and bind on two ClusterRoles: the operator gets rights that this account does not have itself, and',
    'Kubernetes lets only somebody with these verbs give them. They are limited to the roles of the operator.',
    'list on everything in tigera-operator, and on the kinds of Calico: before an undo deletes a namespace or a kind,',
    'it looks whether somebody else keeps something there.',
    'The namespaces come first: a Role cannot stand in a namespace that is yet to be made.',
  ]
    .map((line) => `# ${line}\n`)
    .join('');
}
