import { readRun, reportAsMarkdown, reportOf } from '#lib/run/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf, writeData } from '../output.ts';
import { journalNamespace, pickRun } from '../pick-run.ts';

export const report: Command = {
  name: 'report',
  arguments: '[RUN]',
  summary: 'What a run did, as Markdown (default), JSON or YAML.',
  flags: { ...clusterFlags, ...journalFlags, ...outputFlags },
  async run(invocation) {
    const { flags, terminal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'newest');
      const { plan, journal } = await readRun(cluster.kube, journalNamespace(invocation), run);
      const told = reportOf(plan, journal);
      if (format === 'table') terminal.out(reportAsMarkdown(told));
      else writeData(terminal, format, told);
      return exit.fine;
    });
  },
};
