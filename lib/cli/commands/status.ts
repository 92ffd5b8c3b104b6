import { inList } from '#lib/base/words.ts';
import { KubeError } from '#lib/kube/index.ts';
import { followRun, unfinishedRun } from '#lib/run/index.ts';
import { type ClusterStatus, readStatus } from '#lib/status/index.ts';
import type { Command } from '../command.ts';
import { exit, exitOfList } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from '../run/journal-namespaces.ts';
import { readableRuns } from '../run/readable-runs.ts';
import { sameClusterByProgram } from '../run/same-cluster.ts';
import { connectionWarnings } from '../show/connection-warnings.ts';
import { dataStory, plainStory, storyWithClusterFlags } from '../show/run-story.ts';
import { shownRunWords } from '../show/run-words.ts';
import { statusTable } from '../show/status-table.ts';
import { formatOf, writeData } from '../terminal/output.ts';

export const status: Command = {
  name: 'status',
  arguments: '',
  summary:
    'Show data plane, components, agents, proxy and runs as they are now. --watch follows the run in progress. Exit 5 if you may read only a part.',
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
      const seen = await readStatus(cluster.kube, new Date(cluster.clock.now()).toISOString(), signal);
      const { runs, holder, unknown, refused, areAnyRead } = await readableRuns(invocation, cluster);
      const read = { ...seen, unknown: [...seen.unknown, ...unknown] };
      if (refused !== null && !areAnyRead && isUnread(read)) throw nothingRead(read, refused);
      const { warnings = [] } = cluster.kube;
      const table = [
        ...connectionWarnings(warnings, terminal),
        statusTable(read, runs, holder, terminal, sameClusterByProgram(flags)),
      ].join('\n');
      const current = unfinishedRun(runs);
      if (!flags.has('watch')) {
        if (format === 'table') terminal.out(table);
        else
          writeData(terminal, format, {
            ...read,
            ...(warnings.length > 0 ? { warnings } : {}),
            carrier: holder,
            runs,
          });
        return exitOfList(read.unknown, cluster.kube.source);
      }
      if (!current) {
        // A run that may not be read may be under way.
        if (refused !== null) throw refused;
        terminal.err('No run is under way.');
        if (format === 'table') terminal.out(table);
        return exitOfList(read.unknown, cluster.kube.source);
      }
      if (!holder?.alive) terminal.err(`Run ${current.run} is ${shownRunWords(current, holder)}.`);
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

/** Whether nothing of the status could be read, so that there is nothing to show. Every cluster has DaemonSets as a kind. */
function isUnread({ installation, felix, agents, proxy, components, unknown }: ClusterStatus): boolean {
  const values = [installation, felix, agents, proxy, ...components];
  return values.every((value) => value === null) && unknown.some(({ kind }) => kind === 'DaemonSet');
}

/** The error for a status of which every kind is refused: a sentence about one kind would send the reader from one refusal to the next. */
function nothingRead({ unknown }: ClusterStatus, refused: KubeError): KubeError {
  const kinds = unknown.map(({ kind }) => kind);
  const says = `These credentials may read nothing of the status: no ${inList(kinds, kinds.length, 'or')}.`;
  return new KubeError('forbidden', `${says} ${refused.message}`, refused.detail, refused);
}
