import { visibleLine } from '#lib/text/index.ts';
import {
  changeFlags,
  confirmWrite,
  doneWords,
  isDryRun,
  refOf,
  whyNotDeleted,
  withTargets,
} from '../calico/change-objects.ts';
import { namedObjects, selectionFlags } from '../calico/named-objects.ts';
import { objectName } from '../calico/objects-table.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { changingFlags, outputFlags } from '../global-flags.ts';
import { formatOf } from '../terminal/output.ts';

export const deleteCommand: Command = {
  name: 'delete',
  arguments: 'KIND NAME … | KIND -l LABELS | KIND --all',
  summary:
    "Delete objects of projectcalico.org/v3 as kubectl delete does. Goes through Calico's API server where it answers, else to where the objects are stored. IP pools and tiers need that server, which checks or cleans up first. Lists the objects and asks first; deletes only those it listed.",
  flags: {
    ...changingFlags,
    ...selectionFlags,
    all: { help: 'all objects of the kind in the namespace' },
    'ignore-not-found': { help: 'succeed even if an object does not exist' },
    ...changeFlags,
    ...outputFlags,
    output: { value: 'FORMAT', short: 'o', help: 'table (default) or name' },
  },
  async run(invocation) {
    const { args, flags, terminal, signal } = invocation;
    const format = formatOf(flags, ['table', 'name'] as const);
    const named = namedObjects('delete', args);
    const labelSelector = flags.text('selector') ?? null;
    const all = flags.has('all');
    if (named.names.length === 0 && labelSelector === null && !all)
      throw usageError('error: resource(s) were provided, but no name was specified');
    if (named.names.length > 0 && (labelSelector !== null || all))
      throw usageError('error: name cannot be provided when a selector or --all is specified');
    return withTargets(invocation, { ...named, labelSelector, all }, async ({ kube }, targets) => {
      const nameOf = ({ open, found }: (typeof targets)[number]) =>
        objectName(open.kind, found.shown.metadata.name ?? '');
      for (const { open } of targets) {
        const refused = open.through === 'datastore' ? whyNotDeleted(open.kind) : null;
        if (refused !== null) throw usageError(refused);
      }
      if (targets.length === 0) {
        terminal.err('No resources found');
        return exit.fine;
      }
      await confirmWrite(invocation, `Delete ${targets.map(nameOf).join(', ')} of ${visibleLine(kube.name)}`);
      const dryRun = isDryRun(flags) ? { dryRun: 'all' as const } : {};
      for (const target of targets) {
        const { uid } = target.found.served.metadata;
        await kube.delete(refOf(target), { ...(uid === undefined ? {} : { uid }), signal, ...dryRun });
        const { singular, shown } = target.open.kind;
        const name = visibleLine(target.found.shown.metadata.name ?? '');
        terminal.out(
          format === 'name' ? nameOf(target) : `${singular}.${shown.group} "${name}" deleted${doneWords(flags)}`,
        );
      }
      return exit.fine;
    });
  },
};
