import { type ReleaseFiles, upgradeTarget } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices, ReleaseContents } from '#lib/spec/index.ts';
import type { Releases } from './prepare.ts';

/**
 * What the checks of an upgrade compare with, where there is a source of releases: the release that is to run, and the one that runs if that
 * can be had too. A target that nobody chose is not fetched. Rejects where the chosen one cannot be had.
 */
export async function upgradeFiles(
  facts: Facts,
  choices: Choices,
  { releases, signal }: { releases: Releases | undefined; signal: AbortSignal },
): Promise<ReleaseFiles> {
  const target = upgradeTarget(facts, choices);
  if (choices.goal !== 'upgrade' || releases === undefined || target.kind !== 'release') return {};
  if (target.origin === 'proposal') return {};
  const { source, airGapped } = choices;
  const platform = choices.platform ?? facts.platform.kind;
  const opened = (version: string) => releases({ version, source, airGapped, platform }, signal);
  const running = facts.installation.version;
  // A mirror of one release need not have the others: without them a check says so.
  const old = running === null ? null : await opened(running).catch((): ReleaseContents | null => null);
  return { target: await opened(target.version), ...(old === null ? {} : { running: old }) };
}
