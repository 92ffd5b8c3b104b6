import { type Plan, PlanError, pinnedToRelease } from '#lib/plan/index.ts';
import type { PlatformKind, ReleaseContents } from '#lib/spec/index.ts';
import type { Releases } from '../acts/releases.ts';
import type { ForeignProblem } from './foreign-review.ts';

export type ComparedRun = {
  plan: Plan;
  /** Operations that will be undone, by seq. The others are carried out in neither direction. */
  taken: ReadonlySet<number>;
  releases: Releases | undefined;
  signal: AbortSignal;
};

/**
 * Where a foreign run's record differs from the release's own files. Its way back follows from what it claims to have written, which only its author
 * vouches for. The files come from this installation's sources, never from an address in the run; custom resources that the run brings are not
 * compared.
 */
export async function differingFromRelease({ plan, taken, releases, signal }: ComparedRun): Promise<ForeignProblem[]> {
  try {
    const release = plan.goal === 'install' && taken.size > 0 ? await releaseOf(plan, releases, signal) : null;
    return pinnedToRelease(plan, release)
      .filter(({ seq }) => taken.has(seq))
      .map(({ id, message }) => ({
        id,
        message: `It ${message}: this record may have been changed. Undo the run on the installation that started it, or stop it and remove by hand what it made.`,
      }));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return [
      {
        id: null,
        message: `Its undo is compared with the files of the release that it installed, and they could not be read: ${error.message}`,
      },
    ];
  }
}

async function releaseOf(plan: Plan, releases: Releases | undefined, signal: AbortSignal): Promise<ReleaseContents> {
  const { choices, operations } = plan;
  const version = versionOf(plan);
  const nothing = new PlanError('choices.release', 'there is no release to compare it with.', ['release']);
  if (releases === undefined || version === null) throw nothing;
  const { airGapped } = choices;
  const isBundle = operations.some(({ id }) => id === 'openshift.bundle');
  const platform: PlatformKind = isBundle ? 'openshift' : (choices.platform ?? 'generic');
  const release = await releases({ version, airGapped, platform }, signal);
  if (release === null) throw nothing;
  return release;
}

/** The chosen version, or the proposed one, which the plan's waits name. Either way its files are the published ones. */
function versionOf({ choices, operations }: Plan): string | null {
  const waited = operations.flatMap(({ done }) => (done.kind === 'installation-available' ? [done.version] : []));
  return choices.release ?? waited[0] ?? null;
}
