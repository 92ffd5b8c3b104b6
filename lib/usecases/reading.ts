import type { Tried } from '#lib/checks/index.ts';
import { type Access, collectFacts, type Facts, readAccess, withAccess } from '#lib/facts/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import { rulesFor, rulesNamedBy } from '#lib/plan/index.ts';
import { residualFieldsOfEndedRuns } from '#lib/run/index.ts';
import { type Choices, type Goal, type JournalNamespaces, journalNamespaces } from '#lib/spec/index.ts';

/** Does this work with the cluster. A face that keeps readings opens the cluster only where something has to be read. */
export type UseCluster = <T>(work: (cluster: { kube: Kube; clock: Clock }) => Promise<T>) => Promise<T>;

/**
 * What a face keeps of its readings. Each answers with what it kept under this key, or calls `read` and keeps that. A key holds every answer that
 * decides what is read, and nothing of which cluster it is.
 */
export type ReadingCache = {
  /** Facts without what may be done. */
  facts(key: string, read: () => Promise<Facts>): Promise<Facts>;
  access(key: string, read: () => Promise<Access>): Promise<Access>;
  /** What was read of the cluster for a release, on top of these facts. */
  besides(facts: Facts, key: string, read: () => Promise<ReadForRelease>): Promise<ReadForRelease>;
};

/** The facts with objects that a release has; for an upgrade, what the server said to its files. */
export type ReadForRelease = { readonly facts: Facts; readonly tried?: readonly Tried[] };

/** Every reading is made anew: for a process that asks once. */
export const nothingKept: ReadingCache = {
  facts: (_key, read) => read(),
  access: (_key, read) => read(),
  besides: (_facts, _key, read) => read(),
};

export type ReadOptions = {
  use: UseCluster;
  cache?: ReadingCache;
  /** Where journals may lie; the usual ones unless `--journal-namespace`. */
  journalNamespaces?: JournalNamespaces;
  signal: AbortSignal;
};

/** The cluster under these answers, without what may be done there. Rejects as `collectFacts`. */
export function readFacts(
  choices: Choices,
  { use, cache = nothingKept, journalNamespaces: namespaces = journalNamespaces, signal }: ReadOptions,
): Promise<Facts> {
  return cache.facts(factsKey(choices), () =>
    use(async ({ kube, clock }) => {
      const leftBehind = await residualFieldsOfEndedRuns(kube, namespaces);
      return collectFacts({ kube, clock, choices, leftBehind, signal });
    }),
  );
}

/** What may be done of all that a goal may need. Rejects with KubeError `aborted` only. */
export function readAccessOf(
  goal: Goal,
  { use, cache = nothingKept, journalNamespaces: namespaces = journalNamespaces, signal }: ReadOptions,
): Promise<Access> {
  return cache.access(goal, () => use(({ kube }) => readAccess(kube, { rules: rulesFor(goal, namespaces), signal })));
}

/** These answers with those to what only the cluster's facts and all choices could name. Rejects as `readAccessOf`. */
export async function withNamedAccess(
  access: Access,
  facts: Facts,
  choices: Choices,
  { use, cache = nothingKept, signal }: ReadOptions,
): Promise<Access> {
  const rules = rulesNamedBy(facts, choices);
  if (rules.length === 0 || access.missing.length > 0) return access;
  const more = await cache.access(JSON.stringify(rules), () => use(({ kube }) => readAccess(kube, { rules, signal })));
  return { value: [...access.value, ...more.value], missing: more.missing };
}

/** Facts with what may be done of the goal: what `inspect` shows. */
export async function readCluster(choices: Choices, options: ReadOptions): Promise<Facts> {
  const [facts, access] = await Promise.all([readFacts(choices, options), readAccessOf(choices.goal, options)]);
  return withAccess(facts, access);
}

/** The answers that decide what is read: an upgrade looks at more, an endpoint is dialled, a platform has one suggested. */
export function factsKey({ goal, platform, endpoint }: Choices): string {
  return JSON.stringify([goal === 'upgrade', platform ?? null, endpoint?.host ?? null, endpoint?.port ?? null]);
}
