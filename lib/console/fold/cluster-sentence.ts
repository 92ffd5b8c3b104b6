import type { ClusterView } from '../wire.ts';
import type { Sentence } from './sentence.ts';

export function clusterSentence(view: ClusterView, _nowMs: number): Sentence {
  return { lead: view.cluster, rest: '' };
}
