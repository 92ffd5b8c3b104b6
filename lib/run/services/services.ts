import { z } from 'zod';
import type { ServiceReading } from '#lib/kube/index.ts';
import { type ServiceKind, serviceKindIds } from '#lib/spec/index.ts';

/**
 * How Services answered on each node while a run changed what carries their traffic, as the journal stores it: small, and complete enough for another
 * process to continue. Time without a report is *not measured*, and never counts as answered.
 */

const ms = z.number().int().min(0).max(8.64e15);
const count = z.number().int().min(0).max(1e12);

const mostNodes = 64;

/** One letter for each stretch of time, by its worst moment: answered, late, not answered, not measured. */
const mark = { answered: '.', late: '-', none: 'x', unmeasured: '?' } as const;
const marks = z
  .string()
  .max(256)
  .regex(/^[.x?-]*$/);

const watchedKindSchema = z.object({
  kind: z.enum(serviceKindIds),
  tried: count,
  late: count,
  none: count,
  /** Whether it has ever answered. A Service that never has was not interrupted, so it has no gap. */
  answers: z.boolean(),
  gaps: count,
  longest: z.object({ at: ms, ms }).nullable(),
  sumMs: ms,
  /** Length of the present gap; 0: none. */
  openMs: ms,
  unmeasuredMs: ms,
  marks,
  /** When the process that carries the run last heard of it, by its own clock. Absent: not yet. */
  heardAt: ms.optional(),
});
type WatchedKind = z.infer<typeof watchedKindSchema>;

export const servicesSchema = z.object({
  /** When the first question was due; ms since the epoch, as all times here. */
  from: ms,
  to: ms,
  intervalMs: z.number().int().min(1).max(60_000),
  /** Number of all nodes: those that are not listed were not asked. */
  of: count,
  /** Length of the time for one letter of `marks`. */
  stretchMs: z.number().int().min(1).max(1e9),
  /** Why there were no answers for a while, or at all. */
  missed: z.array(z.string().max(300)).max(8),
  nodes: z
    .array(
      z.object({
        node: z.string().max(253),
        to: ms,
        kinds: z.array(watchedKindSchema).max(8),
        /** Why the node tells nothing, as a phrase. */
        fault: z.string().max(300).optional(),
      }),
    )
    .max(mostNodes),
});
export type ServicesWatched = z.infer<typeof servicesSchema>;
type WatchedNode = ServicesWatched['nodes'][number];

const firstStretchMs = 1_000;
const mostMarks = 120;

/** The start: nothing was reported yet. */
export function noServices(
  from: number,
  { intervalMs, of, nodes }: { intervalMs: number; of: number; nodes: readonly string[] },
): ServicesWatched {
  const none = nodes.map((node) => ({ node, to: from, kinds: [] }));
  return { from, to: from, intervalMs, of, stretchMs: firstStretchMs, missed: [], nodes: none };
}

/**
 * For another process that continues: it has heard nothing yet, and gaps that were open when the last process ended are closed. Its clock may be
 * behind that one's. Pure.
 */
export function takenOver(watched: ServicesWatched, now: number): ServicesWatched {
  const past = (time: number) => Math.min(time, now);
  const nodes = watched.nodes.map(({ node, to, kinds }) => ({
    node,
    to: past(to),
    kinds: kinds.map(({ heardAt: _before, ...kind }) => ({
      ...kind,
      gaps: kind.gaps + (kind.openMs > 0 ? 1 : 0),
      sumMs: kind.sumMs + kind.openMs,
      openMs: 0,
    })),
  }));
  return { ...watched, from: past(watched.from), to: past(watched.to), nodes };
}

/** Adds the nodes that ask from now on. Earlier nodes keep what they have reported. Pure. */
export function withAskingNodes(
  watched: ServicesWatched,
  { intervalMs, of, nodes }: { intervalMs: number; of: number; nodes: readonly string[] },
): ServicesWatched {
  const known = new Set(watched.nodes.map(({ node }) => node));
  const others = nodes.filter((node) => !known.has(node)).map((node) => ({ node, to: watched.from, kinds: [] }));
  return {
    ...watched,
    of,
    intervalMs: Math.max(watched.intervalMs, intervalMs),
    nodes: [...watched.nodes, ...others].slice(0, mostNodes),
  };
}

/** Marks the time so far as before any change: what was not measured until here is no loss. Pure. */
export function beforeAnyAct(watched: ServicesWatched): ServicesWatched {
  const nodes = watched.nodes.map((node) => ({
    ...node,
    kinds: node.kinds.map((kind) => ({ ...kind, unmeasuredMs: 0 })),
  }));
  return { ...watched, nodes };
}

/** With the reasons why nodes report nothing. Pure. */
export function withFaults(watched: ServicesWatched, faults: ReadonlyMap<string, string>): ServicesWatched {
  const nodes = watched.nodes.map(({ fault: _before, ...node }) => {
    const fault = faults.get(node.node);
    return fault === undefined ? node : { ...node, fault: fault.slice(0, 300) };
  });
  return { ...watched, nodes };
}

/** With new answers. Answers of other nodes, and of times that are over or to come, are ignored. `now`: when they came. Pure. */
export function withReadings(
  watched: ServicesWatched,
  readings: readonly ServiceReading[],
  now: number,
): ServicesWatched {
  const wide = widened(watched, now);
  const byNode = Map.groupBy(readings, ({ node }) => node);
  const nodes = wide.nodes.map((node) =>
    (byNode.get(node.node) ?? []).reduce((so, reading) => withReading(wide, so, reading, now), node),
  );
  return { ...wide, to: Math.max(wide.to, now), nodes };
}

/** How far a node's clock may be ahead of what was assumed. */
const clockAheadMs = 60_000;

function withReading(watched: ServicesWatched, node: WatchedNode, reading: ServiceReading, now: number): WatchedNode {
  const { at, spanMs } = reading;
  if (at <= node.to || at > now + clockAheadMs) return node;
  const begin = Math.max(node.to, at - spanMs);
  const unreportedMs = begin - node.to;
  const before = new Map(node.kinds.map((kind) => [kind.kind, kind]));
  const reported = serviceKindIds.filter((kind) => before.has(kind) || reading.kinds[kind] !== undefined);
  const kinds = reported.map((kind) => {
    const so = before.get(kind) ?? fresh(kind, watched, node.to);
    const counts = reading.kinds[kind];
    const isReported = counts !== undefined && counts.tried + counts.openMs > 0;
    const ended = reading.gaps.filter((gap) => gap.kind === kind);
    const answers = so.answers || (counts?.answered ?? 0) > 0;
    const counted = so.answers ? ended : [];
    const sum = counted.reduce((total, one) => total + one.ms, 0);
    const openMs = so.answers ? (counts?.openMs ?? 0) : 0;
    const longest = [so.longest, ...counted, openMs > 0 ? { at: at - openMs, ms: openMs } : null].reduce((best, one) =>
      one !== null && (best === null || one.ms > best.ms) ? one : best,
    );
    const letter = !isReported || !answers ? 'unmeasured' : letterOf(counts, counted.length);
    return {
      ...so,
      tried: so.tried + (counts?.tried ?? 0),
      late: so.late + (counts?.late ?? 0),
      none: so.none + (counts?.none ?? 0),
      answers,
      gaps: so.gaps + counted.length,
      longest: longest === null ? null : { at: Math.round(longest.at), ms: longest.ms },
      sumMs: so.sumMs + sum,
      openMs,
      unmeasuredMs: so.unmeasuredMs + unreportedMs + (letter === 'unmeasured' ? at - begin : 0),
      marks: marked(watched, so.marks, [
        { from: node.to, to: begin, letter: 'unmeasured' },
        { from: begin, to: at, letter },
      ]),
      ...(isReported ? { heardAt: now } : {}),
    };
  });
  return { ...node, to: at, kinds };
}

type Letter = keyof typeof mark;

function letterOf({ none, late, openMs }: { none: number; late: number; openMs: number }, gaps: number): Letter {
  if (openMs > 0 || gaps > 0) return 'none';
  return late > 0 || none > 0 ? 'late' : 'answered';
}

/** A kind that was not asked from the beginning. */
function fresh(kind: ServiceKind, watched: ServicesWatched, until: number): WatchedKind {
  const unmeasured = [{ from: watched.from, to: until, letter: 'unmeasured' }] as const;
  return {
    kind,
    tried: 0,
    late: 0,
    none: 0,
    answers: false,
    gaps: 0,
    longest: null,
    sumMs: 0,
    openMs: 0,
    unmeasuredMs: until - watched.from,
    marks: marked(watched, '', unmeasured),
  };
}

const worst: readonly string[] = [mark.answered, mark.late, mark.unmeasured, mark.none];
const worse = (one: string, other: string) => (worst.indexOf(one) >= worst.indexOf(other) ? one : other);

function marked(
  { from, stretchMs }: Pick<ServicesWatched, 'from' | 'stretchMs'>,
  marks: string,
  spans: readonly { readonly from: number; readonly to: number; readonly letter: Letter }[],
): string {
  const letters = [...marks];
  for (const span of spans) {
    if (span.to <= span.from) continue;
    const last = Math.min(2 * mostMarks, Math.ceil((span.to - from) / stretchMs)) - 1;
    for (let index = Math.floor((span.from - from) / stretchMs); index <= last; index++) {
      const letter = mark[span.letter];
      // A stretch with only a short part unmeasured at its edge does not count as unmeasured.
      const isEdge = span.letter === 'unmeasured' && span.to - span.from < stretchMs / 2;
      const there = letters[index];
      letters[index] = there === undefined ? letter : isEdge ? there : worse(there, letter);
    }
  }
  return Array.from(letters, (letter) => letter ?? mark.unmeasured).join('');
}

/** Makes room for all time until now: a letter then stands for twice as long, and for the worse of the two stretches. */
function widened(watched: ServicesWatched, now: number): ServicesWatched {
  let wide = watched;
  while ((now - wide.from) / wide.stretchMs > mostMarks)
    wide = {
      ...wide,
      stretchMs: wide.stretchMs * 2,
      nodes: wide.nodes.map((node) => ({
        ...node,
        kinds: node.kinds.map((kind) => ({ ...kind, marks: halved(kind.marks) })),
      })),
    };
  return wide;
}

function halved(marks: string): string {
  return Array.from({ length: Math.ceil(marks.length / 2) }, (_, index) =>
    worse(marks[2 * index] ?? mark.answered, marks[2 * index + 1] ?? mark.answered),
  ).join('');
}

/** Adds a reason for missing answers; the last eight are kept. */
export function withMissed(watched: ServicesWatched, because: string): ServicesWatched {
  if (watched.missed.at(-1) === because) return watched;
  return { ...watched, missed: [...watched.missed, because.slice(0, 300)].slice(-8) };
}

/** `ms`: how long nothing has been answered. */
export type OpenGap = { readonly node: string; readonly kind: ServiceKind; readonly ms: number };

/** Gaps that are open, longest first. */
export function openGaps({ nodes }: ServicesWatched): OpenGap[] {
  return nodes
    .flatMap(({ node, kinds }) => kinds.map(({ kind, openMs }) => ({ node, kind, ms: openMs })))
    .filter((gap) => gap.ms > 0)
    .sort((one, other) => other.ms - one.ms);
}
