import { type Plan, PlanError, pinnedToRelease } from '#lib/plan/index.ts';
import type { PlatformKind, ReleaseContents } from '#lib/spec/index.ts';
import type { Releases } from '../acts/releases.ts';
import type { ForeignProblem } from './foreign-review.ts';

export type Held = {
  plan: Plan;
  /** Operations whose way back is taken, by seq. The others are carried out in neither direction. */
  taken: ReadonlySet<number>;
  releases: Releases | undefined;
  signal: AbortSignal;
};

/**
 * What a foreign run recorded otherwise than the release's own files have it: its way back follows from what it says that it wrote, and that is
 * its word alone. The files come from where this installation takes them, never from an address that the run names, and custom resources that it brings along are none of them.
 */
export async function differingFromRelease({ plan, taken, releases, signal }: Held): Promise<ForeignProblem[]> {
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

/** Chosen, or proposed when it was planned: then what is waited for says it. Whichever it is, its files are the published ones. */
function versionOf({ choices, operations }: Plan): string | null {
  const waited = operations.flatMap(({ done }) => (done.kind === 'installation-available' ? [done.version] : []));
  return choices.release ?? waited[0] ?? null;
}
