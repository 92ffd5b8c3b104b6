import { continueRun, directionOf } from '#lib/run/index.ts';
import { acknowledgements } from '../choices-from-flags.ts';
import type { Command } from '../command.ts';
import { usageError } from '../exit.ts';
import { changingFlags, choiceFlags, etcdFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { carryRun } from '../run/carry-run.ts';
import { confirmForeign, foreignFlags } from '../run/confirm-foreign.ts';
import { holderToAsk } from '../run/holder-to-ask.ts';
import { pickRun } from '../run/pick-run.ts';
import { readShown } from '../run/read-shown.ts';

export const resume: Command = {
  name: 'resume',
  arguments: '[RUN]',
  summary: 'Continue a run after a pause, after a crash, or when the console that ran it is gone.',
  flags: {
    ...changingFlags,
    ...etcdFlags,
    ...journalFlags,
    acknowledge: {
      ...choiceFlags.acknowledge,
      help: 'accept what the paused step could not verify, e.g. bpf.active=REASON',
    },
    ...foreignFlags,
    ...outputFlags,
  },
  async run(invocation) {
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'unfinished');
      const { journal, plan } = await readShown(invocation, cluster, run);
      const acknowledge = acknowledgements(invocation.flags);
      const stray = Object.keys(acknowledge).find((id) => !plan.operations.some((operation) => operation.id === id));
      if (stray !== undefined)
        throw usageError(
          `--acknowledge: ${JSON.stringify(stray)} is not a step of this run. Only what the paused step could not verify can be accepted, e.g. bpf.active=REASON`,
        );
      await holderToAsk(invocation, cluster, 'resume', journal);
      const expected = directionOf(journal) === 'undo' ? 'undone' : 'done';
      const confirmed = await confirmForeign(invocation, cluster, run, 'resume');
      return await carryRun(invocation, cluster, expected, (context) =>
        continueRun(context, run, { how: 'resume', acknowledge, ...(confirmed && { confirmed }) }),
      );
    });
  },
};
