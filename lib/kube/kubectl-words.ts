import type { Kube } from './port.ts';

/** `kubectl` with the flags that name the cluster which this is, whatever is current when somebody pastes the line; in the order of its words. */
export function kubectlWords({ reachedBy }: Pick<Kube, 'reachedBy'>): string[] {
  if (!reachedBy) return ['kubectl'];
  const { kubeconfig, context } = reachedBy;
  return ['kubectl', ...(kubeconfig === null ? [] : ['--kubeconfig', kubeconfig]), '--context', context];
}
