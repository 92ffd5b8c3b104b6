import { kubernetesFit, minorOf, testedWithOf } from '../platforms/kubernetes-versions.ts';
import { calicoReleases, releasesWithOperator } from './calico-releases.ts';
import { type Gate, gatesOfRelease, inRange } from './gates.ts';
import { isPinned } from './pinned-releases.ts';

/** The minor release and the release that the specification's procedure is written for (spec › Versioning). */
const described = { line: 'v3.31', release: 'v3.31.4' } as const;

export type VersionAdvice = {
  readonly version: string;
  /**
   * `proposed`: the result of `releaseToInstall`. `described`: the specification's release. `usable`: no known issue.
   * `older`: its minor release has a newer patch, or it has a known issue. `unknown`: nothing is known about it.
   */
  readonly standing: 'proposed' | 'described' | 'usable' | 'older' | 'unknown';
  /** A sentence for the user. */
  readonly because: string;
  /** The newest known patch of its minor release, if that is another. */
  readonly newest: string | null;
  /** Whether this Calico is tested with the cluster's Kubernetes, and the sentence that says so. */
  readonly kubernetes: { readonly tested: 'yes' | 'no' | 'unknown'; readonly because: string };
  /** Known issues of a new installation, worst first, without those of other Kubernetes versions. */
  readonly gates: readonly Gate[];
};

const worst: readonly Gate['action'][] = ['block', 'change', 'review', 'prefer', 'absent', 'note'];

/**
 * Advice about a release before it is chosen.
 *
 * @param kubernetes The cluster's version, `v1.34.2`; null where it is not known.
 */
export function versionAdvice(version: string, kubernetes: string | null): VersionAdvice {
  const newest = newestOf(lineOf(version));
  const gates = gatesFor(version, kubernetes);
  const common = {
    version,
    newest: newest === version ? null : newest,
    kubernetes: testedOn(version, kubernetes),
    gates,
  };
  if (!calicoReleases.some((row) => row.version === version))
    return {
      ...common,
      standing: 'unknown',
      because: `Nothing was read of ${version}. It can be installed, and its files are recorded when they are first used.`,
    };
  if (version === releaseToInstall(kubernetes))
    return { ...common, standing: 'proposed', because: `The newest patch of ${lineOf(version)} that is known here.` };
  if (version === described.release)
    return {
      ...common,
      standing: 'described',
      because: `The release that the procedure is written for. ${newest} has what was fixed since.`,
    };
  const wrong = gates.filter(({ action }) => action === 'block' || action === 'prefer');
  if (wrong.length > 0)
    return {
      ...common,
      standing: 'older',
      because: wrong.map(({ condition, advice }) => `${condition}: ${advice}`).join(' '),
    };
  if (common.newest !== null)
    return { ...common, standing: 'older', because: `${common.newest} is a newer patch of the same line.` };
  return { ...common, standing: 'usable', because: 'No known fault.' };
}

/**
 * The release to propose for a new installation: the newest known patch of the minor release that the specification describes, or the newest release that is tested
 * with the cluster's Kubernetes, if that one is not. Only releases without blocking issues whose files can be verified.
 *
 * @param kubernetes The cluster's version, `v1.34.2`; null where it is not known.
 */
export function releaseToInstall(kubernetes: string | null): string {
  const usable = releasesWithOperator().filter(
    ({ version }) => isPinned(version) && !gatesFor(version, kubernetes).some(({ action }) => action === 'block'),
  );
  const ofLine = usable.find(({ version }) => lineOf(version) === described.line)?.version ?? described.release;
  if (testedOn(ofLine, kubernetes).tested !== 'no') return ofLine;
  return usable.find(({ version }) => testedOn(version, kubernetes).tested === 'yes')?.version ?? ofLine;
}

function gatesFor(version: string, kubernetes: string | null): readonly Gate[] {
  return gatesOfRelease(version)
    .filter(({ fromRelease, crosses }) => fromRelease === undefined && crosses === undefined)
    .filter(
      (gate) =>
        kubernetes === null ||
        gate.kubernetes === undefined ||
        gate.kubernetes.some((range) => inRange(kubernetes, range) !== 'no'),
    )
    .toSorted((left, right) => worst.indexOf(left.action) - worst.indexOf(right.action));
}

/** `v3.31.4` → `v3.31` */
const lineOf = (version: string) => version.split('.').slice(0, 2).join('.');

/** The table is newest first. */
function newestOf(line: string): string | null {
  return calicoReleases.find(({ version }) => lineOf(version) === line)?.version ?? null;
}

function testedOn(version: string, kubernetes: string | null): VersionAdvice['kubernetes'] {
  const row = testedWithOf(version);
  const here = minorOf(kubernetes);
  if (row === null)
    return { tested: 'unknown', because: `With which Kubernetes ${lineOf(version)} is tested was not read.` };
  const range = `${lineOf(version)} is tested with Kubernetes ${row.from} to ${row.to}`;
  if (here === null) return { tested: 'unknown', because: `${range}; the version that runs here was not read.` };
  if (kubernetesFit(row, kubernetes) === 'yes') return { tested: 'yes', because: `${range}.` };
  return { tested: 'no', because: `${range}; v${here.join('.')} runs here, which is not tested.` };
}
