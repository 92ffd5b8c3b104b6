import { type Resource, resources } from './resources.ts';

/** Helm's storage driver (HELM_DRIVER); absent: Secrets, the default (https://helm.sh/docs/topics/advanced/#storage-backends). */
export type HelmDriver = 'configmap';

/** Both kinds have the same names and labels, and the record in `data.release`. */
export function helmRecordResource(driver: HelmDriver | undefined): Resource {
  return driver === 'configmap' ? resources.configMaps : resources.secrets;
}

/** The Secret, or ConfigMap, in which Helm keeps a revision of a release (https://helm.sh/docs/topics/advanced/#storage-backends). */
export function helmSecretName(release: string, revision: number): string {
  return `sh.helm.release.v1.${release}.v${revision}`;
}

/** Most failed revisions since the one that was deployed last. None is deleted, because helm is run with an unlimited history. */
const mostFailed = 10;

/** Most new revisions: four of an upgrade with a hop and its undo; the others are for failed attempts. */
const mostToCome = 12;

/** Names of the records that an upgrade from this revision and its undo read or write. */
export function helmRecordNames(release: string, revision: number): string[] {
  const first = Math.max(1, revision - mostFailed);
  return Array.from({ length: revision + mostToCome - first + 1 }, (_, i) => helmSecretName(release, first + i));
}

/** Words of a helm command, with HELM_DRIVER before it if the driver is not the default. */
export function helmWords({ driver }: { driver?: HelmDriver | undefined }, words: readonly string[]): string[] {
  return [...(driver === undefined ? [] : ['env', `HELM_DRIVER=${driver}`]), 'helm', ...words];
}

/** Whether a chart as Helm records it, `tigera-operator-v3.31.4`, is of this version; null: its record has no version. */
export function isChartOfVersion(chart: string | null | undefined, version: string): boolean {
  return chart?.endsWith(`-${version}`) === true;
}

/** Whether a release, a chart or a definition is Calico's, by its name. */
export function isCalicoName(name: string): boolean {
  return /calico|tigera/i.test(name);
}
