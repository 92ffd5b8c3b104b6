import { type FlagsByProgram, shellWord } from '#lib/text/index.ts';
import type { Flags } from '../flags.ts';

/** The flags that named the cluster, for a command that is suggested: ` --sandbox standard`. Words are quoted for a shell where they need it. `known`: those that the command's program has. */
export function sameCluster(
  flags: Flags,
  known: readonly string[] = ['sandbox', 'context', 'kubeconfig', 'journal-namespace'],
): string {
  return known
    .flatMap((name) => {
      const value = flags.text(name);
      return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
    })
    .join('');
}

/** The same for commands of each program: kubectl reaches no sandbox, and knows no namespace of journals. */
export function sameClusterByProgram(flags: Flags): FlagsByProgram {
  const kubectl = flags.has('sandbox') ? null : sameCluster(flags, ['context', 'kubeconfig']);
  const signalbox = sameCluster(flags, ['sandbox', 'context', 'kubeconfig']);
  return { signalbox, kubectl, journals: sameCluster(flags, ['journal-namespace']) };
}
