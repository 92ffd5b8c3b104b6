import { parseRelease, proposedRelease } from '#lib/spec/index.ts';

/**
 * The release of a later line than `running` that an upgrade proposes; null where there is none, or nothing says what runs. Patches of the line that runs
 * are offered in the wizard. On the server: browsers need no table of releases.
 */
export function laterLine(running: string | null): string | null {
  const newer = running === null ? null : proposedRelease(running);
  const lineOf = (release: string | null) => release && parseRelease(release)?.slice(0, 2).join('.');
  return newer === null || lineOf(newer) === lineOf(running) ? null : newer;
}
