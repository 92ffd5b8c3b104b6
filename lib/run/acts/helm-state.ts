import { decodeHelmRelease } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type HelmDriver, helmRecordResource, helmSecretName } from '#lib/spec/index.ts';

/** The newest revision of a release, by the labels of Helm's records (calico.md §9). */
export type HelmState = { readonly revision: number; readonly status: string };

export type HelmName = { readonly release: string; readonly namespace: string; readonly driver?: HelmDriver };

/** Null where Helm has no such release. */
export async function helmState(kube: Kube, name: HelmName, signal?: AbortSignal): Promise<HelmState | null> {
  return (await helmRevisions(kube, name, signal)).at(-1) ?? null;
}

/** The revisions that Helm still has, oldest first. */
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

/** The chart of that revision with its version, `tigera-operator-v3.31.4`; null where its record tells none. */
export async function chartOf(
  kube: Kube,
  name: HelmName,
  revision: number,
  signal?: AbortSignal,
): Promise<string | null> {
  return (await recordOf(kube, name, revision, signal))?.chart ?? null;
}

/** What Helm recorded of a revision; null where there is none, or it cannot be read. */
export async function recordOf(
  kube: Kube,
  { release, namespace, driver }: HelmName,
  revision: number,
  signal?: AbortSignal,
) {
  const target = { resource: helmRecordResource(driver), namespace, name: helmSecretName(release, revision) };
  const record = await kube.get(target, signal ? { signal } : {});
  return record && decodeHelmRelease(record);
}

/** How Helm describes a revision that brought an earlier one back, from the moment it begins. Read from Helm 3.22 and 4.3, 2026-11-23. */
const rollbackTo = (revision: number) => `Rollback to ${revision}`;

/** The newest revision is deployed, and is the earlier one `to` again. */
export async function isRolledBack(kube: Kube, name: HelmName, to: number, signal?: AbortSignal): Promise<boolean> {
  const newest = await helmState(kube, name, signal);
  if (newest?.status !== 'deployed' || newest.revision <= to) return false;
  return (await recordOf(kube, name, newest.revision, signal))?.description === rollbackTo(to);
}

const wasDeployed: ReadonlySet<string> = new Set(['deployed', 'superseded']);

/**
 * Revisions that somebody else put on top of the one that a run made on top of `since`: the first that was deployed after it is the run's own. Those
 * that failed, those that brought `since` back, and those before one that brought the run's own back, are nobody's loss: by a hop the run makes two,
 * and goes back from the second to the first.
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
    later.map(async (one) => ({ one, record: await recordOf(kube, name, one.revision, signal) })),
  );
  const kept = records.filter(({ record }) => record?.description !== rollbackTo(since));
  const first = kept.findIndex(({ one }) => wasDeployed.has(one.status));
  const own = kept[first]?.one.revision;
  if (own === undefined) return [];
  const back = kept.findLastIndex(({ record }) => record?.description === rollbackTo(own));
  return kept.slice(Math.max(first, back) + 1).map(({ one, record }) => ({ ...one, chart: record?.chart ?? null }));
}
