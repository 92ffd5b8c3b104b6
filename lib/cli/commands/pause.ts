import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { changingFlags, journalFlags, withoutOutput } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { holderToAsk } from '../run/holder-to-ask.ts';
import { pickRun } from '../run/pick-run.ts';
import { readShown } from '../run/read-shown.ts';

export const pause: Command = {
  name: 'pause',
  arguments: '[RUN]',
  summary: 'Ask the process that carries out a run to pause it at the next safe place.',
  flags: { ...changingFlags, ...journalFlags, ...withoutOutput },
  async run(invocation) {
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'unfinished');
      const { journal } = await readShown(invocation, cluster, run);
      const ask = await holderToAsk(invocation, cluster, 'pause', journal);
      await ask?.();
      invocation.terminal.err(`Run ${run} pauses.`);
      return exit.fine;
    });
  },
};
