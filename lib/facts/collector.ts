import type { MissingRule } from '#lib/kube/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { allOf } from './reading/coverage.ts';
import type { Query } from './reading/query.ts';
import type { Reading } from './reading/reading.ts';
import type { Session } from './reading/session.ts';
import type { Coverage, Evidence, FactKey, Facts, LeftBehind } from './schema.ts';

/** What a run's journal says of a field that the run set for its own duration and never set back. `endedAt`: RFC 3339. */
export type RecordedField = Omit<LeftBehind, 'evidence'> & { readonly endedAt: string; readonly evidence: Evidence };

/** What a collector found out: parts of Facts, and coverage where it is not simply "everything it read". */
export type CollectorOutput = {
  readonly [Section in
    | 'cluster'
    | 'platform'
    | 'installation'
    | 'proxy'
    | 'endpoint'
    | 'features'
    | 'resources'
    | 'upgrade']?: Partial<Facts[Section]>;
} & {
  readonly nodes?: Facts['nodes'];
  readonly pools?: Facts['pools'];
  readonly coverage?: { readonly [Key in FactKey]?: Coverage };
};

export type Context = {
  readonly choices: Choices | null;
  readonly source: Facts['cluster']['source'];
  /** The API server's URL in the administrator's kubeconfig, where there is one. */
  readonly server: string | null;
  /** What journals of ended runs say that they left behind. */
  readonly leftBehind: readonly RecordedField[];
};

type Readings<Q extends Record<string, Query<unknown>>> = {
  readonly [Name in keyof Q]: Q[Name] extends Query<infer T> ? Reading<T> : never;
};

/** What a file of this folder declares: what it reads, what it tells, and how the one follows from the other. `collect` is pure. */
export type CollectorDefinition<Q extends Record<string, Query<unknown>>> = {
  readonly id: string;
  readonly tells: readonly FactKey[];
  readonly reads: Q;
  /** `facts`: what the collectors before this one told. */
  collect(readings: Readings<Q>, facts: Facts, context: Context): CollectorOutput;
};

export type Collector = {
  readonly id: string;
  readonly tells: readonly FactKey[];
  readonly rules: readonly MissingRule[];
  /** First step of three: says what it wants to read. Second: reads it. Third: tells. */
  enlist(session: Session): () => Promise<(facts: Facts, context: Context) => CollectorOutput>;
};

export function defineCollector<const Q extends Record<string, Query<unknown>>>(
  definition: CollectorDefinition<Q>,
): Collector {
  const { id, tells, reads, collect } = definition;
  return {
    id,
    tells,
    rules: Object.values(reads).flatMap(({ rules }) => rules),
    enlist: (session) => {
      const wanted = Object.entries(reads).map(([name, query]) => [name, query.enlist(session)] as const);
      return async () => {
        const read = await Promise.all(wanted.map(async ([name, fetch]) => [name, await fetch()] as const));
        // Names and types of `reads` are those of `read`: the mapped type says what fromEntries cannot.
        const readings = Object.fromEntries(read) as Readings<Q>;
        const everything = allOf(...read.map(([, reading]) => reading));
        return (facts, context) => {
          const told = collect(readings, facts, context);
          const coverage = Object.fromEntries(tells.map((key) => [key, told.coverage?.[key] ?? everything]));
          return { ...told, coverage };
        };
      };
    },
  };
}
