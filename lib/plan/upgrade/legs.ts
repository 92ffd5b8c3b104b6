import { isManifestInstall, manifestFileOf } from '#lib/checks/index.ts';
import type { ReleaseContents } from '#lib/spec/index.ts';
import type { PlanContext } from '../operation.ts';
import { afterHelmUpgrade } from './helm/next-revision.ts';
import { onlyItsManifest } from './manifest/manifest-file.ts';

/**
 * A context for each release on the way, in order, the chosen one last. Each begins where the one before ends. For an installation by manifest each
 * release has only the file from which this Calico was installed. Throws as `manifestIn`.
 */
export function legsOf(context: PlanContext, through: readonly ReleaseContents[]): PlanContext[] {
  const releases = context.release === null ? [] : [...through, context.release];
  const legs: PlanContext[] = [];
  for (const release of releases) {
    const before = legs.at(-1);
    legs.push({
      ...context,
      release: itsFiles(release, context),
      running: before ? before.release : runningFiles(context),
      facts: before && context.facts.installation.method === 'helm' ? afterHelmUpgrade(before) : context.facts,
    });
  }
  return legs;
}

function itsFiles(release: ReleaseContents, context: PlanContext): ReleaseContents {
  return isManifestInstall(context.facts) ? onlyItsManifest(release, context) : release;
}

/** The files of the release that runs; null if the needed file is not at hand. */
function runningFiles(context: PlanContext): ReleaseContents | null {
  const { running, facts } = context;
  if (running === null || !isManifestInstall(facts)) return running;
  return running.manifests[manifestFileOf(facts)] ? onlyItsManifest(running, context) : null;
}
