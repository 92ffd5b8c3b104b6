import { collectFacts } from '#lib/facts/index.ts';
import { rulesFor } from '#lib/plan/index.ts';
import { claimsOfEndedRuns } from '#lib/run/index.ts';
import { maskedData } from '#lib/text/index.ts';
import { choicesFromFlags } from '../choices-from-flags.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { choiceFlags, clusterFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf, writeData } from '../output.ts';
import { factsTable } from '../show/facts-table.ts';

export const inspect: Command = {
  name: 'inspect',
  arguments: '',
  summary: 'The facts of a cluster, each with its evidence. Reads only.',
  flags: { ...clusterFlags, endpoint: choiceFlags.endpoint, ...outputFlags },
  async run({ flags, terminal, env, signal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const choices = await choicesFromFlags(flags);
    return withCluster({ flags, env }, 'fresh', async (cluster) => {
      const facts = await collectFacts({
        kube: cluster.kube,
        clock: cluster.clock,
        choices: { ...choices, goal: choices.goal ?? 'enable' },
        rules: rulesFor('enable'),
        leftBehind: await claimsOfEndedRuns(cluster.kube),
        signal,
      });
      if (format === 'table') terminal.out(factsTable(facts, terminal));
      else writeData(terminal, format, maskedData(facts));
      return exit.fine;
    });
  },
};
