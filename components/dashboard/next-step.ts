import type { ClusterView } from '#lib/console/wire.ts';
import { type CalicoHere, calicoHere } from './calico-here.ts';
import { runStateWords } from './run-state-words.ts';

/** What a cluster is offered next; null while a run is open, and where eBPF is on already. Without Calico there is nothing to switch. */
export function nextStep({ run, status }: Pick<ClusterView, 'run' | 'status'>): 'enable' | 'install' | null {
  if (run !== null && runStateWords(run).isOpen) return null;
  return stepFrom(calicoHere(status), status.installation?.dataplane ?? null);
}

/** The rule of it, for whoever knows the cluster from another reading. */
export function stepFrom(here: CalicoHere, dataplane: string | null): 'enable' | 'install' | null {
  if (here === 'nothing') return 'install';
  return here === 'agents' && dataplane !== 'BPF' ? 'enable' : null;
}
