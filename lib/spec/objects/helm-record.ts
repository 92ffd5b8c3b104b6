import { type Resource, resources } from './resources.ts';

/** Where Helm keeps its records, by HELM_DRIVER; left out: in Secrets, as it does by itself (https://helm.sh/docs/topics/advanced/#storage-backends). */
export type HelmDriver = 'configmap';

/** Both kinds have the same names and labels, and the record in `data.release`. */
export function helmRecordResource(driver: HelmDriver | undefined): Resource {
  return driver === 'configmap' ? resources.configMaps : resources.secrets;
}

/** The Secret, or ConfigMap, in which Helm keeps a revision of a release (https://helm.sh/docs/topics/advanced/#storage-backends). */
export function helmSecretName(release: string, revision: number): string {
  return `sh.helm.release.v1.${release}.v${revision}`;
}

/** How far back the revision may be that was deployed last: those since failed. None goes, as helm is told to keep all of them. */
const mostFailed = 10;

/** An upgrade by a hop and its way back make four; the rest is for attempts that failed. */
const mostToCome = 12;

/** The records that an upgrade of a release at this revision, and its way back, look at or change. */
export function helmRecordNames(release: string, revision: number): string[] {
  const first = Math.max(1, revision - mostFailed);
  return Array.from({ length: revision + mostToCome - first + 1 }, (_, i) => helmSecretName(release, first + i));
}

/** A line of helm: where it keeps its records elsewhere than by itself, it is told so. */
export function helmWords({ driver }: { driver?: HelmDriver | undefined }, words: readonly string[]): string[] {
  return [...(driver === undefined ? [] : ['env', `HELM_DRIVER=${driver}`]), 'helm', ...words];
}

/** Whether a chart as Helm records it, `tigera-operator-v3.31.4`, is of this version; null: its record tells none. */
export function isChartOfVersion(chart: string | null | undefined, version: string): boolean {
  return chart?.endsWith(`-${version}`) === true;
}
