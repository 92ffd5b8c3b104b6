import type { Releases } from '#lib/run/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import type { ClusterEntry } from '../../host.ts';
import { type ReleaseCache, staysHere, type WantedContents, wantedContents } from './release-cache.ts';

/**
 * Where assessments get release files. As on the command line, nothing is downloaded unless the user asks.
 *
 * page: what is on this machine, or in a sandbox. plan: an installation waits for its files, wherever they come from. open: only what is open
 * already.
 */
export type ReleaseSources = Record<'page' | 'plan' | 'open', (kind: ClusterEntry['kind'], goal: Goal) => Releases>;

export function releaseSources({ cache, env }: { cache: ReleaseCache; env: NodeJS.ProcessEnv }): ReleaseSources {
  /** Downloads start only when the user asks; a failed one is not repeated before that. */
  const forInstall = async (wanted: WantedContents) => {
    if (!staysHere(wanted, env)) await cache.openKept(wanted);
    else if (cache.progress(wanted).kind !== 'failed') await openedSoon(cache, wanted);
    return cache.peek(wanted);
  };
  /** The files of the running release are never downloaded: if they are not on this machine, nothing is compared with them. */
  const forUpgrade = async (wanted: WantedContents) => {
    if (!staysHere(wanted, env)) await cache.openKept(wanted);
    // If it fails, the checks that need these files say what is missing.
    else await cache.open(wanted).catch(() => null);
    return cache.peek(wanted);
  };
  return {
    page: (kind, goal) => (release) => {
      const wanted = wantedContents(release, kind);
      return goal === 'install' ? forInstall(wanted) : forUpgrade(wanted);
    },
    plan: (kind, goal) => (release) => {
      const wanted = wantedContents(release, kind);
      return goal === 'install' ? cache.open(wanted) : forUpgrade(wanted);
    },
    open: (kind) => async (release) => cache.peek(wantedContents(release, kind)),
  };
}

/** Waits a moment for files on this machine, and no longer for others. */
async function openedSoon(cache: ReleaseCache, wanted: WantedContents): Promise<void> {
  const soon = new Promise<void>((resolve) => setTimeout(resolve, soonMs).unref());
  await Promise.race([cache.open(wanted).catch(() => undefined), soon]);
}
const soonMs = 1_500;
