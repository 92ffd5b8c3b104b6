import type { Verdict } from '../flow.ts';

/**
 * A query for flows, as typed, in an address, or from flags. Terms with the same key are alternatives; all keys must match; `!` excludes.
 * `from:shop/checkout to:kube-dns port:53 verdict:denied policy:default/ledger-db since:2h`
 */
export type Query = { readonly terms: readonly Term[]; readonly since: Moment | null; readonly until: Moment | null };

export type Term = { readonly not: boolean } & (
  | { readonly key: 'from' | 'to' | 'with'; readonly namespace: Pattern | null; readonly name: Pattern | null }
  | { readonly key: 'port'; readonly first: number; readonly last: number }
  | { readonly key: 'verdict' | 'staged'; readonly verdict: Verdict }
  | { readonly key: 'policy'; readonly tier: Pattern | null; readonly name: Pattern }
  | { readonly key: 'proto'; readonly protocol: string }
  | { readonly key: 'reporter'; readonly reporter: 'source' | 'destination' }
);

/** A text in which `*` stands for any characters. */
export type Pattern = string;

/** Seconds before now, or seconds since the epoch. */
export type Moment = { readonly ago: number } | { readonly at: number };

export const noQuery: Query = { terms: [], since: null, until: null };

export type QueryKey = Term['key'] | 'since' | 'until';

/** The values of each key, for help, completion and errors. */
export const queryKeys: Readonly<Record<QueryKey, { readonly takes: string; readonly example: string }>> = {
  from: {
    takes: 'a source: NAMESPACE/NAME, NAME, NAMESPACE/ or a pattern with *',
    example: 'from:shop/checkout',
  },
  to: { takes: 'a destination: the same forms, or a Service', example: 'to:kube-dns' },
  with: { takes: 'a source or destination: the same forms', example: 'with:payments/' },
  port: { takes: 'a destination port or a range of ports: 53, 8000-8080', example: 'port:53' },
  verdict: { takes: 'allowed, denied or passed', example: 'verdict:denied' },
  staged: { takes: 'the verdict that staged policies would give: allowed or denied', example: 'staged:denied' },
  policy: { takes: 'a policy that was evaluated: TIER/NAME or NAME', example: 'policy:default/ledger-db' },
  proto: { takes: 'a protocol: TCP, UDP …', example: 'proto:udp' },
  reporter: { takes: 'the end that reported the flow: source or destination', example: 'reporter:source' },
  since: { takes: 'a duration back (15m, 2h) or a time (2026-11-23T10:00:00Z)', example: 'since:2h' },
  until: { takes: 'a duration back (10m) or a time (2026-11-23T10:00:00Z)', example: 'until:10m' },
};
