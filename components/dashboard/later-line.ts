import { parseRelease, proposedRelease } from '#lib/spec/index.ts';

/**
 * The release that an upgrade proposes, if its minor release is later than that of `running`; null if not, or if `running` is unknown. The wizard offers patches of
 * the same minor release. Server only, so that browsers do not load the table of releases.
 */
export function laterLine(running: string | null): string | null {
  const newer = running === null ? null : proposedRelease(running);
  const lineOf = (release: string | null) => release && parseRelease(release)?.slice(0, 2).join('.');
  return newer === null || lineOf(newer) === lineOf(running) ? null : newer;
}
