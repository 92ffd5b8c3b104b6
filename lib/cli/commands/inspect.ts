import { maskedData } from '#lib/text/index.ts';
import { readCluster } from '#lib/usecases/index.ts';
import { choicesFromFlags } from '../choices-from-flags.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { choiceFlags, clusterFlags, etcdFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { factsTable } from '../show/facts-table.ts';
import { formatOf, writeData } from '../terminal/output.ts';

export const inspect: Command = {
  name: 'inspect',
  arguments: '',
  summary:
    'Show the facts of a cluster, each with its evidence. Changes nothing. Exit 0 even where you may not read some kinds: the facts name them.',
  flags: { ...clusterFlags, ...etcdFlags, endpoint: choiceFlags.endpoint, ...outputFlags },
  async run({ flags, terminal, env, signal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const choices = await choicesFromFlags(flags);
    return withCluster({ flags, env }, 'fresh', async (cluster) => {
      const answers = { ...choices, goal: choices.goal ?? 'enable' };
      const facts = await readCluster(answers, { use: (work) => work(cluster), signal });
      if (format === 'table') terminal.out(factsTable(facts, terminal));
      else writeData(terminal, format, maskedData(facts));
      return exit.fine;
    });
  },
};
