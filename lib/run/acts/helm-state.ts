import { decodeHelmRelease } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type HelmDriver, helmRecordResource, helmSecretName } from '#lib/spec/index.ts';

/** The newest revision of a release, by the labels of Helm's records (calico.md §9). */
export type HelmState = { readonly revision: number; readonly status: string };

export type HelmName = { readonly release: string; readonly namespace: string; readonly driver?: HelmDriver };

/** Null if Helm has no such release. */
export async function helmState(kube: Kube, name: HelmName, signal?: AbortSignal): Promise<HelmState | null> {
  return (await helmRevisions(kube, name, signal)).at(-1) ?? null;
}

/** The revisions that Helm still keeps, oldest first. */
export async function helmRevisions(
  kube: Kube,
  { release, namespace, driver }: HelmName,
  signal: AbortSignal | undefined,
): Promise<HelmState[]> {
  const found: HelmState[] = [];
  for await (const page of kube.listMetadata(helmRecordResource(driver), {
    namespace,
    labelSelector: `owner=helm,name=${release}`,
    ...(signal ? { signal } : {}),
  })) {
    for (const { metadata } of page.items) {
      const revision = Number(metadata.labels?.version);
      if (revision >= 0) found.push({ revision, status: metadata.labels?.status ?? '' });
    }
  }
  return found.sort((one, other) => one.revision - other.revision);
}

/** The chart of a revision with its version, `tigera-operator-v3.31.4`; null if its record does not say. */
export async function chartOf(
  kube: Kube,
  name: HelmName,
  revision: number,
  signal?: AbortSignal,
): Promise<string | null> {
  return (await helmRecord(kube, name, revision, signal))?.chart ?? null;
}

/** Helm's record of a revision; null if there is none or it cannot be read. */
export async function helmRecord(
  kube: Kube,
  { release, namespace, driver }: HelmName,
  revision: number,
  signal?: AbortSignal,
) {
  const target = { resource: helmRecordResource(driver), namespace, name: helmSecretName(release, revision) };
  const record = await kube.get(target, signal ? { signal } : {});
  return record && decodeHelmRelease(record);
}

/** Helm's description of a rollback, from its start on. Read from Helm 3.22 and 4.3, 2026-11-23. */
const rollbackTo = (revision: number) => `Rollback to ${revision}`;

/** Whether the newest revision is deployed and is a rollback to `to`. */
export async function isRolledBack(kube: Kube, name: HelmName, to: number, signal?: AbortSignal): Promise<boolean> {
  const newest = await helmState(kube, name, signal);
  if (newest?.status !== 'deployed' || newest.revision <= to) return false;
  return (await helmRecord(kube, name, newest.revision, signal))?.description === rollbackTo(to);
}

const wasDeployed: ReadonlySet<string> = new Set(['deployed', 'superseded']);

/**
 * Revisions that somebody else made after the run's own: the run made the first one that was deployed after `since`. Not counted are revisions that
 * failed, that rolled back to `since`, or that a rollback to the run's own revision has replaced: their loss hurts nobody. A run with two releases
 * makes two revisions and goes back from the second to the first.
 */
export async function laterThanOwn(
  kube: Kube,
  name: HelmName,
  since: number,
  signal?: AbortSignal,
): Promise<{ revision: number; status: string; chart: string | null }[]> {
  const later = (await helmRevisions(kube, name, signal)).filter(
    ({ revision, status }) => revision > since && (wasDeployed.has(status) || status === 'pending-upgrade'),
  );
  const records = await Promise.all(
    later.map(async (one) => ({ one, record: await helmRecord(kube, name, one.revision, signal) })),
  );
  const counted = records.filter(({ record }) => record?.description !== rollbackTo(since));
  const first = counted.findIndex(({ one }) => wasDeployed.has(one.status));
  const own = counted[first]?.one.revision;
  if (own === undefined) return [];
  const back = counted.findLastIndex(({ record }) => record?.description === rollbackTo(own));
  return counted.slice(Math.max(first, back) + 1).map(({ one, record }) => ({ ...one, chart: record?.chart ?? null }));
}
