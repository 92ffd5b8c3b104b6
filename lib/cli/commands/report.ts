import { listRuns, reportOf } from '#lib/run/index.ts';
import { noFlags } from '#lib/text/index.ts';
import { endStateOfRun, reportWithTraffic, reportWithTrafficAsMarkdown } from '#lib/usecases/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { clusterFlags, journalFlags, outputIn } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from '../run/journal-namespaces.ts';
import { pickRun } from '../run/pick-run.ts';
import { readShown } from '../run/read-shown.ts';
import { sameClusterByProgram } from '../run/same-cluster.ts';
import { hasFlowLogs, notRecorded, trafficOfRun } from '../run/traffic-of-run.ts';
import { formatOf, writeData } from '../terminal/output.ts';

export const report: Command = {
  name: 'report',
  arguments: '[RUN]',
  summary: 'Show what a run did, as Markdown (default), JSON or YAML. `-o gitops`: the end state, to commit.',
  flags: { ...clusterFlags, ...journalFlags, ...outputIn('table (default: Markdown), json, yaml or gitops') },
  async run(invocation) {
    const { flags, terminal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml', 'gitops'] as const);
    return withCluster(invocation, 'kept', async (cluster) => {
      const run = await pickRun(invocation, cluster, 'newest');
      const { plan, journal, provenance } = await readShown(invocation, cluster, run);
      const besides = await listRuns(cluster.kube, journalNamespacesOf(invocation));
      // Data goes to other programs and people: as in journals and plans, its commands name no cluster.
      const named = format === 'table' ? sameClusterByProgram(flags) : noFlags;
      const made = reportOf(plan, journal, provenance, { besides, flags: named });
      if (format === 'gitops') {
        const endState = endStateOfRun(plan, made);
        if (endState.text === null) throw usageError(endState.because);
        terminal.out(endState.text.trimEnd());
        return exit.fine;
      }
      const traffic = await trafficOfRun(invocation, cluster, made);
      if (traffic === null && made.foreign === null && (await hasFlowLogs(cluster))) terminal.err(notRecorded);
      if (format === 'table') terminal.out(await reportWithTrafficAsMarkdown(made, traffic));
      else writeData(terminal, format, reportWithTraffic(made, traffic));
      return exit.fine;
    });
  },
};
