import type { Facts } from '#lib/facts/index.ts';
import { openshiftUpgradeFile, releaseAtLeast } from '#lib/spec/index.ts';
import { isManifestInstall, manifestFileOf } from './installation.ts';

/** Before this release, the operator's own manifest contained the definitions (calico.md §1.2). */
const ownFileFrom = 'v3.30.0';

/** URLs of the files that an upgrade of this installation applies (calico.md §1.1), for commands. */
export function publishedFiles(release: string, facts: Facts): readonly string[] {
  if (facts.platform.kind === 'openshift' && !isManifestInstall(facts))
    return [publishedFile(release, openshiftUpgradeFile)];
  const operator = [
    ...(releaseAtLeast(release, ownFileFrom) === 'no' ? [] : ['operator-crds.yaml']),
    'tigera-operator.yaml',
  ];
  return (isManifestInstall(facts) ? [manifestFileOf(facts)] : operator).map((file) => publishedFile(release, file));
}

/** The URL of a file of a release in Calico's repository (calico.md §1.1). */
export function publishedFile(release: string, file: string): string {
  return `https://raw.githubusercontent.com/projectcalico/calico/${release}/manifests/${file}`;
}
