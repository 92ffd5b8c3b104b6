import { resolve } from 'node:path';
import { type FlagsByProgram, flagsByProgram, noFlags } from '#lib/text/index.ts';
import type { Kube } from './port.ts';

/** What leads commands to the cluster which this is, whatever is current where they are pasted. Nothing does without a kubeconfig. */
export function flagsOfKube({ reachedBy }: Pick<Kube, 'reachedBy'>): FlagsByProgram {
  if (!reachedBy) return noFlags;
  const { kubeconfig, context } = reachedBy;
  return flagsByProgram({ context, kubeconfig: kubeconfig === null ? undefined : { file: resolve(kubeconfig) } });
}
