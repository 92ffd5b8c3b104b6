import type { Subject } from '#lib/facts/index.ts';
import { insideStep, type RunMemory, type StepInside } from '#lib/run/index.ts';
import { withClusterFlags } from '#lib/text/index.ts';
import type { Slug } from '../../host.ts';
import type { RunView } from '../../wire.ts';
import type { UsedCluster } from '../clusters/open-clusters.ts';
import { Refused } from '../refused.ts';
import { readKnownRun } from './read-known-run.ts';

/** How long a page waits for an open step, in ms. What has not come by then is shown as not read. */
const patienceMs = 10_000;

/** Reads a step of a run from inside. Throws `run.not-found`, `run.no-step` and KubeError. */
export function insideSteps({
  memory,
  viewOfRun,
  signal,
}: {
  memory: RunMemory;
  viewOfRun: (cluster: Slug, run: string) => Promise<RunView>;
  signal: AbortSignal;
}): (used: UsedCluster, run: string, seq: number) => Promise<StepInside> {
  return async ({ kube, slug, flags }, run, seq) => {
    const { plan, journal } = await readKnownRun(kube, run, memory);
    const heldUpBy = heldUpAt(await viewOfRun(slug, run), seq);
    const until = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const inside = await insideStep(kube, { plan, journal, seq, heldUpBy }, until);
    if (inside === null) throw new Refused('run.no-step', `The plan of this run has no step ${seq}.`);
    return { ...inside, command: withClusterFlags(inside.command, flags) };
  };
}

/** The objects that a step waits for, or waited for when the run paused at it. */
function heldUpAt({ now, state }: RunView, seq: number): readonly Subject[] {
  if (state.kind === 'paused') return state.seq === seq ? state.subjects : [];
  return state.kind === 'running' && now?.seq === seq ? now.heldUpBy : [];
}
