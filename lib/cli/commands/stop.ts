import { continueRun } from '#lib/run/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { askHolder, heldBySomebody } from '../run/ask-holder.ts';
import { carryRun } from '../run/carry-run.ts';
import { pickRun } from '../run/pick-run.ts';

export const stop: Command = {
  name: 'stop',
  arguments: '[RUN]',
  summary: 'Ends a run where it stands. The cluster stays as it is; the report lists what remains.',
  flags: { ...clusterFlags, ...journalFlags, ...outputFlags },
  async run(invocation) {
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'unfinished');
      if (!(await heldBySomebody(invocation, cluster)))
        return await carryRun(invocation, cluster, 'stopped', (context) => continueRun(context, run, { how: 'stop' }));
      await askHolder(invocation, cluster, run, 'stop');
      invocation.terminal.err(`Run ${run} stops; the cluster stays as it is.`);
      return exit.fine;
    });
  },
};
