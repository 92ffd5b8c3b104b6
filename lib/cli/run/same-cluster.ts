import { shellWord } from '#lib/text/index.ts';
import type { Flags } from '../flags.ts';

/** The flags that named the cluster, for a command that is suggested: ` --sandbox standard`. Words are quoted for a shell where they need it. */
export function sameCluster(flags: Flags): string {
  return ['sandbox', 'context', 'kubeconfig', 'journal-namespace']
    .flatMap((name) => {
      const value = flags.text(name);
      return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
    })
    .join('');
}
