import { readRun } from '#lib/run/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { askHolder, heldBySomebody } from '../run/ask-holder.ts';
import { journalNamespacesOf } from '../run/journal-namespaces.ts';
import { pickRun } from '../run/pick-run.ts';

export const pause: Command = {
  name: 'pause',
  arguments: '[RUN]',
  summary: 'Asks the process that carries a run to pause it at the next safe place.',
  flags: { ...clusterFlags, ...journalFlags, ...outputFlags },
  async run(invocation) {
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'unfinished');
      const { journal } = await readRun(cluster.kube, journalNamespacesOf(invocation), run);
      if (journal.state.kind !== 'running') {
        invocation.terminal.err(`Run ${run} is ${journal.state.kind} already.`);
        return exit.fine;
      }
      if (!(await heldBySomebody(invocation, cluster))) {
        invocation.terminal.err(
          `No process carries run ${run}: it stands still. \`signalbox resume ${run}\` carries it on.`,
        );
        return exit.fine;
      }
      await askHolder(invocation, cluster, run, 'pause');
      invocation.terminal.err(`Run ${run} pauses.`);
      return exit.fine;
    });
  },
};
