import { inList } from '#lib/base/words.ts';

/** The largest packet of a node that came out at another. */
export type LargestArrival = {
  readonly from: string;
  readonly to: string;
  readonly arrives: 'none' | 'small' | 'full';
};

/** A kind of area that nodes share, and each node's area by name; partners.ts says what a link is. `of` returns null if unknown. */
export type Area = { readonly kind: 'zone' | 'subnet' | 'link'; readonly of: (node: string) => string | null };

/** A single fault that would break all these pairs. `at`: the name of the node or area; for a way the area where it begins. */
type Cause = {
  readonly kind: keyof typeof order;
  readonly area?: Area['kind'];
  readonly at?: string;
  readonly to?: string;
  /** In the order of the pairs. */
  readonly own: LargestArrival[];
};

/** The order in which causes are reported at a node. */
const order = { any: 0, to: 1, from: 2, within: 3, into: 4, out: 5, way: 6 } as const;

/**
 * Nodes with their fault, as a phrase. Causes are chosen one after the other, each explaining the most of the pairs that are still unexplained: all
 * pairs; a node that hears nobody or that nobody hears, instead of each of its pairs; a zone, subnet or link within, into or out of which nothing
 * passes; the way between two of these. A cause counts only if all of its pairs are broken, and one of several nodes only if no single node is an end
 * of everything it explains. Each node that observed a cause gets it as its fault. The remaining broken paths are reported at their destination. With
 * only two nodes their faults cannot be distinguished, so the path is reported.
 */
export function faultyNodes(
  pairs: readonly LargestArrival[],
  isFine: (pair: LargestArrival) => boolean,
  nothing: string,
  areas: readonly Area[] = [],
): Map<string, string> {
  const broken = new Set(pairs.filter((pair) => !isFine(pair)));
  const faults = new Map<string, string>();
  const add = (node: string, words: string) => {
    const before = faults.get(node);
    faults.set(node, before === undefined ? words : `${before}, and ${words}`);
  };
  const found = explaining(possibleCauses(pairs, broken, areas), broken, areas);
  const keys = new Set(found.map(keyOf));
  for (const cause of found) {
    const words = `${nothing} ${inWords(cause, (other) => keys.has(keyOf(other)))}`;
    const at = cause.kind === 'from' ? [cause.at ?? ''] : new Set(cause.own.map(({ to }) => to));
    for (const node of at) add(node, words);
  }
  for (const [node, own] of Map.groupBy(broken, ({ to }) => to))
    add(
      node,
      `${nothing} arrives there from ${inList(
        own.map(({ from }) => from),
        4,
      )}`,
    );
  return faults;
}

// A template is built several times as fast as a joined list; every pair of a big cluster has a dozen keys.
const keyOf = ({ kind, area, at, to }: Omit<Cause, 'own'>) => `${kind}\n${area ?? ''}\n${at ?? ''}\n${to ?? ''}`;

/** All causes that would break a pair. */
function causesOf({ from, to }: LargestArrival, areas: readonly Area[]): Omit<Cause, 'own'>[] {
  const found: Omit<Cause, 'own'>[] = [{ kind: 'any' }, { kind: 'to', at: to }, { kind: 'from', at: from }];
  for (const { kind: area, of } of areas) {
    const [one, other] = [of(from), of(to)];
    if (one === null || other === null) continue;
    if (one === other) found.push({ kind: 'within', area, at: one });
    else
      found.push(
        { kind: 'into', area, at: other },
        { kind: 'out', area, at: one },
        { kind: 'way', area, at: one, to: other },
      );
  }
  return found;
}

/** Causes all of whose pairs are broken. */
function possibleCauses(
  pairs: readonly LargestArrival[],
  broken: ReadonlySet<LargestArrival>,
  areas: readonly Area[],
): Cause[] {
  const causes = new Map<string, Cause>();
  for (const pair of broken)
    for (const cause of causesOf(pair, areas)) {
      const key = keyOf(cause);
      const known = causes.get(key);
      if (known === undefined) causes.set(key, { ...cause, own: [pair] });
      else known.own.push(pair);
    }
  for (const pair of pairs) {
    if (causes.size === 0) break;
    if (!broken.has(pair)) for (const cause of causesOf(pair, areas)) causes.delete(keyOf(cause));
  }
  return [...causes.values()];
}

/** Chooses causes, each time the one that explains most of the pairs in `broken`, and removes these pairs from it. */
function explaining(causes: readonly Cause[], broken: Set<LargestArrival>, areas: readonly Area[]): Cause[] {
  const found: Cause[] = [];
  const byWeight: Cause[][] = [];
  const keep = (cause: Cause) => {
    byWeight[cause.own.length] ??= [];
    byWeight[cause.own.length]?.push(cause);
  };
  for (const cause of causes) keep(cause);
  // A cause of one pair is just that path.
  for (let weight = byWeight.length - 1; weight > 1; weight--)
    for (const cause of byWeight[weight] ?? []) {
      const own = cause.own.filter((pair) => broken.has(pair));
      if (own.length < weight) keep({ ...cause, own });
      else if (explainsAll(cause, areas)) {
        found.push(cause);
        for (const pair of own) broken.delete(pair);
      }
    }
  return found.sort((one, other) => order[one.kind] - order[other.kind]);
}

/** Whether nothing smaller explains the same: one node, or, for an area and all others, the way between two. */
function explainsAll({ kind, area, own }: Cause, areas: readonly Area[]): boolean {
  if (kind === 'to' || kind === 'from') return true;
  const [first] = own;
  if (own.every(({ from, to }) => [from, to].includes(first?.from ?? ''))) return false;
  if (own.every(({ from, to }) => [from, to].includes(first?.to ?? ''))) return false;
  if (kind !== 'into' && kind !== 'out') return true;
  const { of } = areas.find((one) => one.kind === area) ?? { of: () => null };
  return new Set(own.map(({ from, to }) => of(kind === 'into' ? from : to))).size > 1;
}

/** The words after what does not arrive. `hasFound`: whether another cause was found too; both directions are then reported as one. */
function inWords(cause: Cause, hasFound: (other: Omit<Cause, 'own'>) => boolean): string {
  const { kind, area, at = '', to = '' } = cause;
  switch (kind) {
    case 'any':
      return 'passes between any two nodes';
    case 'to':
      return 'arrives there from any node';
    case 'from':
      return 'of it arrives at any node';
    case 'within':
      return `passes within ${area} ${at}`;
    case 'into':
    case 'out':
      if (hasFound({ ...cause, kind: kind === 'into' ? 'out' : 'into' }))
        return `passes between ${area} ${at} and any other ${area}`;
      return kind === 'into' ? `arrives in ${area} ${at} from any other` : `from ${area} ${at} arrives in any other`;
    case 'way': {
      const [one, other] = [at, to].sort();
      return hasFound({ ...cause, at: to, to: at })
        ? `passes between ${area} ${one} and ${area} ${other}`
        : `arrives in ${area} ${to} from ${area} ${at}`;
    }
  }
}
