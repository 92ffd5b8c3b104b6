import { shellWord } from '#lib/text/index.ts';
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
