import type { NodeState } from '#lib/run/index.ts';
import type { NodeLine } from '#lib/status/index.ts';

/**
 * What a node shows of a run that another process carries: no journal tells it, but the cluster's own watch does, by the same proof (the agent's log).
 * `wanted`: where the run is going. Pure.
 */
export function nodeFromCluster(
  { name, plane, agentAway, because: detail }: NodeLine,
  wanted: 'bpf' | 'standard',
): NodeState {
  const told = (state: NodeState['state'], dataplane: NodeState['dataplane']): NodeState => ({
    name,
    state,
    dataplane,
    detail,
    evidence: [],
  });
  switch (plane) {
    case 'bpf':
    case 'standard':
      if (agentAway) return told('restarting', plane);
      return told(plane === wanted ? 'proven' : 'waiting', plane);
    case 'moving':
      return told('restarting', null);
    case 'fell-back':
      return told('refused', 'standard');
    case 'unknown':
      return told('unknown', null);
    case 'not-counted':
      return told('not-counted', null);
  }
}
