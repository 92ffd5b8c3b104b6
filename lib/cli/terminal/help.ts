import type { Command, CommandTable } from '../command.ts';
import { usedFlags } from '../flags.ts';
import { columns, wrap } from './terminal.ts';

/** All commands, wrapped to a terminal of this many columns. */
export function overview(commands: CommandTable, width: number): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary]);
  return `signalbox moves a live Kubernetes cluster to Calico's eBPF data plane, and back.

Commands:
${columns(rows, width)}

Which cluster:  --context NAME, --kubeconfig FILE, --sandbox NAME,
                or --from PATH (an offline dump)
Exit codes:     0 fine, 1 a bug, 2 wrong usage or input,
                3 blocked by findings, 4 the run did not end as asked,
                5 the cluster does not answer or refuses access,
                130 interrupted
More:           signalbox COMMAND --help, signalbox --version
`;
}

/** The help of one command, wrapped to a terminal of this many columns. */
export function commandHelp({ name, arguments: words, summary, examples = [], flags }: Command, width: number): string {
  const rows = usedFlags(flags).map(([name, flag]) => [
    `  ${flag.short ? `-${flag.short}, ` : '    '}--${name}${flag.value ? ` ${flag.value}` : ''}`,
    flag.help,
  ]);
  const parts = [
    usage(name, words, width),
    wrap(summary, width),
    ...(examples.length === 0
      ? []
      : [
          `Examples:\n${columns(
            examples.map(([line, does]) => [`  signalbox ${line}`, does]),
            width,
          )}`,
        ]),
    `Flags:\n${columns(rows, width)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The usage in one line, or one line per form if that is too long. */
function usage(name: string, words: string, width: number): string {
  const line = (form: string) => `signalbox ${name} ${form}`.trimEnd();
  return line(words).length <= width ? line(words) : words.split(' | ').map(line).join('\n');
}
