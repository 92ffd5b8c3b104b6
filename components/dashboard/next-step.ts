import type { ClusterView } from '#lib/console/wire.ts';
import { calicoHere } from './calico-here.ts';
import { runStateWords } from './run-state-words.ts';

/** What a cluster is offered next; null while a run is open, and where eBPF is on already. Without Calico there is nothing to switch. */
export function nextStep({ run, status }: Pick<ClusterView, 'run' | 'status'>): 'enable' | 'install' | null {
  if (run !== null && runStateWords(run).isOpen) return null;
  const here = calicoHere(status);
  if (here === 'nothing') return 'install';
  return here === 'agents' && status.installation?.dataplane !== 'BPF' ? 'enable' : null;
}
