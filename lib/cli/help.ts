import type { Command, CommandTable } from './command.ts';
import { columns } from './terminal/terminal.ts';

export function overview(commands: CommandTable): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary]);
  return `signalbox moves a live Kubernetes cluster to Calico's eBPF data plane, and back.

Commands:
${columns(rows)}

Which cluster:  --context NAME, --kubeconfig FILE, --sandbox NAME, or --from PATH (an offline dump)
More:           signalbox COMMAND --help
`;
}

export function commandHelp(command: Command): string {
  const rows = Object.entries(command.flags).map(([name, flag]) => [
    `  ${flag.short ? `-${flag.short}, ` : '    '}--${name}${flag.value ? ` ${flag.value}` : ''}`,
    flag.help,
  ]);
  return `signalbox ${command.name}${command.arguments ? ` ${command.arguments}` : ''}

${command.summary}

Flags:
${columns(rows)}
`;
}
