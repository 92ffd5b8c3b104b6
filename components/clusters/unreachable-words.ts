import type { State } from '#components/ui/state-mark.tsx';

/** Why a cluster of the list cannot be used now, in two words; the sentence beside it says the rest. */
export function unreachableWords(code: string): { state: State; words: string } {
  switch (code) {
    case 'cluster.forbidden':
      return { state: 'bad', words: 'Refuses to be read' };
    case 'cluster.unauthorized':
    case 'cluster.credentials':
      return { state: 'bad', words: 'No valid credentials' };
    case 'cluster.tls':
      return { state: 'bad', words: 'Certificate not verified' };
    case 'sandbox.in-use':
      return { state: 'warn', words: 'Open elsewhere' };
    case 'cluster.unreachable':
    case 'cluster.timeout':
      return { state: 'bad', words: 'Does not answer' };
    default:
      return { state: 'bad', words: 'Cannot be read' };
  }
}
