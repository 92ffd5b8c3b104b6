import { listContexts } from '#lib/kube/index.ts';
import { stateFolder } from '#lib/run/index.ts';
import { listSandboxes } from '#lib/sandbox/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../output.ts';
import { columns } from '../terminal.ts';

export const clusters: Command = {
  name: 'clusters',
  arguments: '',
  summary: 'What can be reached: contexts of the kubeconfig, the cluster this runs in, sandboxes. Nothing is dialled.',
  flags: { kubeconfig: clusterFlags.kubeconfig, ...outputFlags },
  async run({ flags, terminal, env }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const contexts = await listContexts({ kubeconfig: flags.text('kubeconfig'), env });
    const sandboxes = await listSandboxes(await stateFolder(env));
    if (format !== 'table') {
      writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Clusters', contexts, sandboxes });
      return exit.fine;
    }
    const rows = [
      ['', 'NAME', 'KIND', 'SERVER', 'NOTE'],
      ...contexts.map((one) => [
        one.current ? '*' : '',
        visibleLine(one.name),
        one.source,
        visibleLine(one.server ?? ''),
        visibleLine(one.problem ?? one.warnings.join('; ')),
      ]),
      ...sandboxes.map((one) => ['', one.name, 'sandbox', '', one.shows]),
    ];
    terminal.out(columns(rows));
    return exit.fine;
  },
};
