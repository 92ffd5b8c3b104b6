import type { Plane, Verdict } from '#lib/node-state/index.ts';
import type { NodeState } from '../model/event.ts';

/**
 * What a verdict means for a run that brings nodes to `toward`. A node is proven only by what was seen there since the configuration changed
 * (operations.md › Proof of a node). If nothing shows its state it is `unknown`, which can be accepted. A node that is known to be on the other data
 * plane is awaited. Pure.
 */
export function nodeOfRun(name: string, verdict: Verdict, toward: Plane): NodeState {
  const { plane, because, seen, awaits, evidence } = verdict;
  const known = plane === 'bpf' || plane === 'standard' ? plane : plane === 'fell-back' ? 'standard' : null;
  const shown = (state: NodeState['state'], dataplane = known, detail = because): NodeState => ({
    name,
    state,
    dataplane,
    detail,
    evidence,
  });
  if (plane === 'not-counted') return shown('not-counted');
  if (awaits !== null) {
    const detail = seen?.plane === toward ? (awaits === 'restart' ? notRestarted : notReported) : because;
    return shown(awaits === 'restart' ? 'restarting' : 'waiting', known, detail);
  }
  if (plane === 'fell-back') return shown(toward === 'bpf' ? 'refused' : 'waiting');
  if (seen?.plane === toward) return seen.sinceChange ? shown('proven') : shown('unknown', null, notReported);
  if (known !== null && known !== toward) return shown('waiting');
  return shown('unknown', null);
}

/** Its agent was seen on the wanted data plane before the run's change, which proves nothing about the new configuration. */
const notRestarted = 'its agent has not restarted yet';
const notReported = 'its agent has not reported yet whether eBPF is on';
