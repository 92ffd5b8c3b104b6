import { type FlagsByProgram, flagsByProgram, noFlags } from '#lib/text/index.ts';
import type { ClusterEntry } from '../host.ts';

/** What of a cluster in the list names it in commands. */
export type NamedEntry = Pick<ClusterEntry, 'name' | 'kind' | 'kubeconfig'>;

/** What leads commands to it. Nothing does for the cluster that a console runs in: where its reader works, it may have any name. */
export function flagsOfEntry({ name, kind, kubeconfig }: NamedEntry): FlagsByProgram {
  switch (kind) {
    case 'in-cluster':
      return noFlags;
    case 'sandbox':
      return flagsByProgram({ sandbox: name });
    case 'kubeconfig':
      return flagsByProgram({ context: name, kubeconfig: kubeconfig ?? undefined });
  }
}
