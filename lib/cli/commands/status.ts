import { followRun, leaseHolderOf, unfinishedRun } from '#lib/run/index.ts';
import { readStatus } from '#lib/status/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from '../run/journal-namespaces.ts';
import { listShown } from '../run/read-shown.ts';
import { sameClusterByProgram } from '../run/same-cluster.ts';
import { connectionWarnings } from '../show/connection-warnings.ts';
import { dataStory, plainStory, storyWithClusterFlags } from '../show/run-story.ts';
import { shownRunWords } from '../show/run-words.ts';
import { statusTable } from '../show/status-table.ts';
import { formatOf, writeData } from '../terminal/output.ts';

export const status: Command = {
  name: 'status',
  arguments: '',
  summary: 'Show data plane, components, agents, proxy and runs as they are now. --watch follows the run in progress.',
  flags: {
    ...clusterFlags,
    ...journalFlags,
    watch: { short: 'w', help: 'follow the run until it ends or pauses' },
    ...outputFlags,
  },
  async run(invocation) {
    const { flags, terminal, signal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    return withCluster(invocation, 'kept', async (cluster) => {
      const journalNamespaces = journalNamespacesOf(invocation);
      const read = await readStatus(cluster.kube, new Date(cluster.clock.now()).toISOString(), signal);
      const runs = await listShown(invocation, cluster);
      const leaseHolder = await leaseHolderOf(cluster.kube, cluster.clock, journalNamespaces);
      const { warnings = [] } = cluster.kube;
      const table = [
        ...connectionWarnings(warnings, terminal),
        statusTable(read, runs, leaseHolder, terminal, sameClusterByProgram(flags)),
      ].join('\n');
      const current = unfinishedRun(runs);
      if (!flags.has('watch')) {
        if (format === 'table') terminal.out(table);
        else
          writeData(terminal, format, {
            ...read,
            ...(warnings.length > 0 ? { warnings } : {}),
            carrier: leaseHolder,
            runs,
          });
        return exit.fine;
      }
      if (!current) {
        terminal.err('No run is under way.');
        if (format === 'table') terminal.out(table);
        return exit.fine;
      }
      if (!leaseHolder.alive) terminal.err(`Run ${current.run} is ${shownRunWords(current, leaseHolder)}.`);
      const on = sameClusterByProgram(flags);
      const story = format === 'table' ? storyWithClusterFlags(plainStory(terminal), on) : dataStory(format, terminal);
      for await (const event of followRun({
        kube: cluster.kube,
        clock: cluster.clock,
        journalNamespaces,
        run: current.run,
        signal,
      }))
        story.tell(event);
      story.end();
      return exit.fine;
    });
  },
};
