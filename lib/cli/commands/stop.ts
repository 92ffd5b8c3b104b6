import { continueRun } from '#lib/run/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { changingFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { carryRun } from '../run/carry-run.ts';
import { holderToAsk } from '../run/holder-to-ask.ts';
import { pickRun } from '../run/pick-run.ts';
import { readShown } from '../run/read-shown.ts';

export const stop: Command = {
  name: 'stop',
  arguments: '[RUN]',
  summary: 'End a run where it is. The cluster stays as it is; the report lists what is left.',
  flags: { ...changingFlags, ...journalFlags, ...outputFlags },
  async run(invocation) {
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'unfinished');
      const { journal } = await readShown(invocation, cluster, run);
      const ask = await holderToAsk(invocation, cluster, 'stop', journal);
      if (ask === null)
        return await carryRun(invocation, cluster, 'stopped', (context) => continueRun(context, run, { how: 'stop' }));
      await ask();
      invocation.terminal.err(`Run ${run} stops; the cluster stays as it is.`);
      return exit.fine;
    });
  },
};
