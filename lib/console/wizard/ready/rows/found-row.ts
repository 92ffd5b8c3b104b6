import type { StepId } from '../../answers.ts';
import type { Proof, ShownValue } from '../row-proof.ts';

/** One thing that was found, where it was read, and the step that changes it; null where nothing can be chosen. */
export type FoundRow = {
  what: string;
  value: string;
  /** The value is an address or another text of machines. */
  isCode: boolean;
  proof: Proof;
  source: string;
  change: StepId | null;
};

export type Row = Omit<FoundRow, 'proof' | 'isCode'> & {
  isCode?: true;
  /** Ids of the findings that speak of it, or the beginning of them. */
  checks: readonly string[];
  /** The text where none of them is open or accepted, with the one check that shows it passed. */
  good?: ShownValue | null;
};

/** `kube-system/ConfigMap/kubeadm-config` → `kubeadm-config`; other kinds with their name. */
export function lastOf(object: string): string {
  return object
    .split('/')
    .slice(-2)
    .join(' ')
    .replace(/^ConfigMap /, '');
}
