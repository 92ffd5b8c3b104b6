import { type FlagsByProgram, flagsByProgram, noFlags } from '#lib/text/index.ts';
import type { ClusterEntry } from '../host.ts';

/** The fields of a listed cluster that name it in commands. */
export type NamedEntry = Pick<ClusterEntry, 'name' | 'kind' | 'kubeconfig'>;

/** How commands name the cluster. Without flags for the cluster that the console runs in, whose context on the user's machine is unknown. */
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
