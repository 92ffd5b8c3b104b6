import { carrierOf, listRuns } from '#lib/run/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, journalFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf, writeData } from '../output.ts';
import { journalNamespace } from '../pick-run.ts';
import { runWords } from '../show/run-words.ts';
import { columns } from '../terminal.ts';

export const runs: Command = {
  name: 'runs',
  arguments: '',
  summary: 'The runs of a cluster, newest first.',
  flags: { ...clusterFlags, ...journalFlags, ...outputFlags },
  async run(invocation) {
    const { flags, terminal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    return withCluster(invocation, 'kept', async (cluster) => {
      const list = await listRuns(cluster.kube, journalNamespace(invocation));
      const carrier = await carrierOf(cluster.kube, cluster.clock, journalNamespace(invocation));
      if (format !== 'table')
        writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Runs', carrier, runs: list });
      else if (list.length === 0) terminal.err('There is no run on this cluster.');
      else
        terminal.out(
          columns([
            ['RUN', 'GOAL', 'STATE', 'STARTED', 'NOTE'],
            ...list.map((run) => [
              run.run,
              run.goal,
              runWords(run, carrier),
              run.startedAt,
              visibleLine('because' in run.state ? run.state.because : ''),
            ]),
          ]),
        );
      return exit.fine;
    });
  },
};
