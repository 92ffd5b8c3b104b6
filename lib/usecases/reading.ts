import type { DryRunResult } from '#lib/checks/index.ts';
import { type Access, collectFacts, type Facts, readAccess, withAccess } from '#lib/facts/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import { ruleKey, rulesFor, rulesNamedBy } from '#lib/plan/index.ts';
import { residualFieldsOfEndedRuns } from '#lib/run/index.ts';
import {
  type Choices,
  dialsEndpoint,
  type Goal,
  type JournalNamespaces,
  journalNamespaces,
  type MissingRule,
} from '#lib/spec/index.ts';

/** Opens the cluster for some work. A face that keeps readings opens it only when something has to be read. */
export type UseCluster = <T>(work: (cluster: { kube: Kube; clock: Clock }) => Promise<T>) => Promise<T>;

/**
 * The readings that a face keeps. Each call returns what is kept under the key, or calls `read` and keeps the result. A key names every answer that
 * decides what is read, and nothing about which cluster it is.
 */
export type ReadingCache = {
  /** Facts without permissions. */
  facts(key: string, read: () => Promise<Facts>): Promise<Facts>;
  access(key: string, read: () => Promise<Access>): Promise<Access>;
  /** What was read for a release, on top of these facts. */
  besides(facts: Facts, key: string, read: () => Promise<ReadForRelease>): Promise<ReadForRelease>;
};

/** The facts, with the objects that a release has; for an upgrade also the server's answers to its files. */
export type ReadForRelease = { readonly facts: Facts; readonly tried?: readonly DryRunResult[] };

/** Keeps nothing: for a process that asks once. */
export const noCache: ReadingCache = {
  facts: (_key, read) => read(),
  access: (_key, read) => read(),
  besides: (_facts, _key, read) => read(),
};

export type ReadOptions = {
  use: UseCluster;
  cache?: ReadingCache;
  /** Namespaces in which journals may lie; the usual ones unless `--journal-namespace` names others. */
  journalNamespaces?: JournalNamespaces;
  signal: AbortSignal;
};

/** The facts under these answers, without permissions. Rejects as `collectFacts`. */
export function readFacts(
  choices: Choices,
  { use, cache = noCache, journalNamespaces: namespaces = journalNamespaces, signal }: ReadOptions,
): Promise<Facts> {
  return cache.facts(factsKey(choices), () =>
    use(async ({ kube, clock }) => {
      const leftBehind = await residualFieldsOfEndedRuns(kube, namespaces);
      return collectFacts({ kube, clock, choices, leftBehind, signal });
    }),
  );
}

/** The permissions for everything that a goal may need. Rejects with KubeError `aborted` only. */
export function readAccessOf(
  goal: Goal,
  { use, cache = noCache, journalNamespaces: namespaces = journalNamespaces, signal }: ReadOptions,
): Promise<Access> {
  return cache.access(goal, () => use(({ kube }) => readAccess(kube, { rules: rulesFor(goal, namespaces), signal })));
}

/**
 * Adds the permissions for objects that only the facts and all choices together can name. A permission without a name includes every name and is not
 * asked again: "empty means all" (ResourceAttributes, authorization.k8s.io/v1). Rejects as `readAccessOf`.
 */
export async function withNamedAccess(
  access: Access,
  facts: Facts,
  choices: Choices,
  { use, cache = noCache, signal }: ReadOptions,
): Promise<Access> {
  const named = rulesNamedBy(facts, choices);
  if (named.length === 0 || access.missing.length > 0) return access;
  const granted = new Set(access.value.filter(({ allowed }) => allowed).map(ruleKey));
  const isImplied = ({ name: _any, ...rule }: MissingRule) => granted.has(ruleKey(rule));
  const implied = named.filter(isImplied);
  const rules = named.filter((rule) => !isImplied(rule));
  const more =
    rules.length === 0
      ? { value: [], missing: [] }
      : await cache.access(JSON.stringify(rules), () => use(({ kube }) => readAccess(kube, { rules, signal })));
  const answers = [...access.value, ...implied.map((rule) => ({ ...rule, allowed: true })), ...more.value];
  return { value: answers, missing: more.missing };
}

/** The facts with the permissions for the goal: what `inspect` shows. */
export async function readCluster(choices: Choices, options: ReadOptions): Promise<Facts> {
  const [facts, access] = await Promise.all([readFacts(choices, options), readAccessOf(choices.goal, options)]);
  return withAccess(facts, access);
}

/** The answers that decide what is read: an upgrade reads more, some goals test an endpoint, a platform has an endpoint suggested. */
export function factsKey({ goal, platform, endpoint }: Choices): string {
  return JSON.stringify([
    goal === 'upgrade',
    dialsEndpoint(goal),
    platform ?? null,
    endpoint?.host ?? null,
    endpoint?.port ?? null,
  ]);
}
