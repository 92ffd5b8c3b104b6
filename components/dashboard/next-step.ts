import type { ClusterView } from '#lib/console/wire.ts';
import { type CalicoHere, calicoHere } from './calico-here.ts';
import { runStateWords } from './run-state-words.ts';

/** The next step that a cluster is offered; null during a run and if eBPF is on. Without Calico: *install*. */
export function nextStep({ run, status }: Pick<ClusterView, 'run' | 'status'>): 'enable' | 'install' | null {
  if (run !== null && runStateWords(run).isOpen) return null;
  return stepFrom(calicoHere(status), status.installation?.dataplane ?? null);
}

/** The same rule for other data about the cluster. */
export function stepFrom(here: CalicoHere, dataplane: string | null): 'enable' | 'install' | null {
  if (here === 'nothing') return 'install';
  return here === 'agents' && dataplane !== 'BPF' ? 'enable' : null;
}
