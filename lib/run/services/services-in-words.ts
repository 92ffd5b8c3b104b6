import { counted } from '#lib/base/words.ts';
import { type ServiceKind, serviceKindIds, serviceTitle } from '#lib/spec/watched-services.ts';
import type { ServicesWatched } from './services.ts';

/** A node whose last report is older than this is silent, and not merely late. */
export const heardWithinMs = 10_000;

/** One kind of Service on one node. `longestMs`: null if nothing was ever answered, so nothing was measured. */
export type NodeGaps = {
  readonly node: string;
  readonly kinds: readonly {
    readonly kind: ServiceKind;
    readonly longestMs: number | null;
    /** When the longest gap began; RFC 3339. */
    readonly longestAt: string | null;
    readonly sumMs: number;
    readonly unmeasuredMs: number;
  }[];
};

/** What a report says about how Services answered. */
export type ServiceGaps = {
  readonly intervalMs: number;
  /** Gaps are known with this precision, in ms. */
  readonly precisionMs: number;
  readonly asked: number;
  readonly of: number;
  readonly longest: {
    readonly node: string;
    readonly kind: ServiceKind;
    readonly ms: number;
    readonly at: string;
  } | null;
  readonly sumMs: number;
  readonly unmeasuredMs: number;
  readonly missed: readonly string[];
  readonly nodes: readonly NodeGaps[];
};

/** Pure. Null if nothing was watched. */
export function serviceGaps(watched: ServicesWatched | undefined | null): ServiceGaps | null {
  if (!watched) return null;
  const nodes = watched.nodes.map(
    ({ node, to, kinds }): NodeGaps => ({
      node,
      kinds: kinds.map(({ kind, answers, longest, sumMs, openMs, unmeasuredMs }) => ({
        kind,
        longestMs: answers ? (longest?.ms ?? 0) : null,
        longestAt: longest === null ? null : new Date(longest.at).toISOString(),
        sumMs: sumMs + openMs,
        unmeasuredMs: unmeasuredMs + (watched.to - to > heardWithinMs ? watched.to - to : 0),
      })),
    }),
  );
  const all = nodes.flatMap(({ node, kinds }) => kinds.map((kind) => ({ node, ...kind })));
  const longest = all.reduce<ServiceGaps['longest']>(
    (best, { node, kind, longestMs, longestAt }) =>
      longestMs !== null && longestAt !== null && longestMs > (best?.ms ?? 0)
        ? { node, kind, ms: longestMs, at: longestAt }
        : best,
    null,
  );
  return {
    intervalMs: watched.intervalMs,
    precisionMs: 2 * watched.intervalMs,
    asked: nodes.length,
    of: watched.of,
    longest,
    sumMs: all.reduce((sum, one) => sum + one.sumMs, 0),
    unmeasuredMs: Math.max(
      0,
      ...all.map((one) => one.unmeasuredMs),
      ...nodes.filter(({ kinds }) => kinds.length === 0).map(() => watched.to - watched.from),
    ),
    missed: watched.missed,
    nodes,
  };
}

/** `0.6 s`, `12 s`. */
export function gapLength(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** The nodes from which Services were asked: `4 nodes`, `50 of 900 nodes`. */
export function askedNodes({ asked, of }: Pick<ServiceGaps, 'asked' | 'of'>): string {
  return asked === of ? counted(of, 'node') : `${asked} of ${counted(of, 'node')}`;
}

/** The same in a sentence that needs no number where all were asked: `every node`, `50 of 900 nodes`. */
export function everyAskedNode({ asked, of }: Pick<ServiceGaps, 'asked' | 'of'>): string {
  return asked === of ? 'every node' : askedNodes({ asked, of });
}

/** The title over how Services answered there. */
export function askedTitle({ nodes, of }: Pick<ServicesWatched, 'nodes' | 'of'>): string {
  return `Services, asked from ${everyAskedNode({ asked: nodes.length, of })}`;
}

/** The result as a sentence. */
export function gapsSentence(gaps: ServiceGaps): string {
  const { longest, sumMs, precisionMs, nodes } = gaps;
  const from = askedNodes(gaps);
  if (nodes.every(({ kinds }) => kinds.every(({ longestMs }) => longestMs === null)))
    return `Services were asked from ${from}, and nothing was measured.`;
  const unmeasured = notMeasured(gaps);
  const but = unmeasured === null ? '' : ` ${unmeasured}`;
  if (longest === null && unmeasured !== null)
    return `No gap of a Service in what was measured from ${from}; one shorter than ${precisionMs} ms would not be seen.${but}`;
  if (longest === null)
    return `Services answered from ${from} all the time; a gap shorter than ${precisionMs} ms would not be seen.`;
  return `Longest gap of a Service: ${gapLength(longest.ms)}, ${serviceTitle(longest.kind)} on ${longest.node}; ${gapLength(sumMs)} over all, asked from ${from}, known to ${precisionMs} ms.${but}`;
}

/** What was not measured, as a sentence; null if everything was. Less time than the precision does not count. */
export function notMeasured({ unmeasuredMs, missed, precisionMs }: ServiceGaps): string | null {
  if (unmeasuredMs >= precisionMs) return `Not measured everywhere: up to ${gapLength(unmeasuredMs)} of it.`;
  return missed.length > 0 ? 'Not measured to the end.' : null;
}

/** Kinds that any node asked, in display order. */
export function kindsAsked(nodes: readonly NodeGaps[]): ServiceKind[] {
  const measured = new Set(nodes.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)));
  return serviceKindIds.filter((kind) => measured.has(kind));
}
