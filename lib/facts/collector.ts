import type { MissingRule } from '#lib/kube/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { allOf } from './reading/coverage.ts';
import type { Query } from './reading/query.ts';
import type { Reading } from './reading/reading.ts';
import type { Session } from './reading/session.ts';
import type { Coverage, Evidence, FactKey, Facts, LeftBehind } from './schema.ts';

/** A field that a run set for its own duration and left, by its journal. `endedAt`: RFC 3339. */
export type RecordedField = Omit<LeftBehind, 'evidence'> & { readonly endedAt: string; readonly evidence: Evidence };

/** Results of a collector: parts of Facts, and the coverage of facts that do not need everything that it read. */
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

type Context = {
  readonly choices: Choices | null;
  readonly source: Facts['cluster']['source'];
  /** The API server in the administrator's kubeconfig; null: there is none. */
  readonly server: string | null;
  /** Fields that journals of ended runs say they left. */
  readonly leftBehind: readonly RecordedField[];
};

type Readings<Q extends Record<string, Query<unknown>>> = {
  readonly [Name in keyof Q]: Q[Name] extends Query<infer T> ? Reading<T> : never;
};

/** A collector as its file declares it: the facts that it provides, its queries, and a pure function from their results to the facts. */
export type CollectorDefinition<Q extends Record<string, Query<unknown>>> = {
  readonly id: string;
  readonly provides: readonly FactKey[];
  readonly reads: Q;
  /** `facts`: those of the collectors before this one. */
  collect(readings: Readings<Q>, facts: Facts, context: Context): CollectorOutput;
};

export type Collector = {
  readonly id: string;
  readonly provides: readonly FactKey[];
  readonly rules: readonly MissingRule[];
  /** The first of three steps registers queries; the function that it returns reads; the function that this returns makes the facts. */
  enlist(session: Session): () => Promise<(facts: Facts, context: Context) => CollectorOutput>;
};

/** Makes a collector from its declaration: registers its queries, reads them all at once, and passes the readings to `collect`. */
export function defineCollector<const Q extends Record<string, Query<unknown>>>(
  definition: CollectorDefinition<Q>,
): Collector {
  const { id, provides, reads, collect } = definition;
  return {
    id,
    provides,
    rules: Object.values(reads).flatMap(({ rules }) => rules),
    enlist: (session) => {
      const wanted = Object.entries(reads).map(([name, query]) => [name, query.enlist(session)] as const);
      return async () => {
        const read = await Promise.all(wanted.map(async ([name, fetch]) => [name, await fetch()] as const));
        // `fromEntries` loses the names and types of `reads`.
        const readings = Object.fromEntries(read) as Readings<Q>;
        const everything = allOf(...read.map(([, reading]) => reading));
        return (facts, context) => {
          const output = collect(readings, facts, context);
          const coverage = Object.fromEntries(provides.map((key) => [key, output.coverage?.[key] ?? everything]));
          return { ...output, coverage };
        };
      };
    },
  };
}
