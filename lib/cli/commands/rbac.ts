import { stringify } from 'yaml';
import { clusterRole } from '#lib/plan/index.ts';
import { goals } from '#lib/spec/index.ts';
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
    const objects = clusterRole(goal);
    if (format === 'json') terminal.out(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2));
    else terminal.out(objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n'));
    return exit.fine;
  },
};
