import type { Duplex } from 'node:stream';
import type { Resource } from '#lib/spec/index.ts';
import type { Clock } from '../clock.ts';
import type { KubeObject } from '../object.ts';
import type { ExecResult, Kube, LogOptions } from '../port.ts';
import type { AccessRule, StoreUser } from './access.ts';
import type { Interceptor } from './calls.ts';
import type { Snapshot } from './contents.ts';
import type { Change } from './read/history.ts';

/** What answers for the pods of a sandbox: nothing in the store runs. Absent ones are `unsupported`. */
export type PodHandlers = {
  logs?: (pod: { namespace: string; name: string }, options: LogOptions) => Promise<string>;
  get?: (pod: {
    namespace: string;
    name: string;
    port: number;
    path: string;
    scheme?: 'http' | 'https';
  }) => Promise<{ status: number; body: string }>;
  exec?: (
    pod: { namespace: string; name: string; container: string },
    command: readonly string[],
  ) => Promise<ExecResult>;
  portForward?: (pod: { namespace: string; name: string; port: number }) => Promise<Duplex>;
};

export type StoreOptions = {
  name: string;
  source: Kube['source'];
  clock?: Clock;
  /** `gitVersion` to report; null (the default) when it cannot be told. */
  version?: string | null;
  /** Kinds that are served without a schema, beside the built-in ones and those of CustomResourceDefinitions. */
  kinds?: readonly Resource[];
  objects?: Iterable<KubeObject>;
  /** What the store's own user may do; everything when absent. `as` makes others. */
  access?: readonly AccessRule[];
  pods?: PodHandlers;
};

/** A cluster in memory, with what a sandbox or a test does to it from outside of its API. */
export interface Store extends Kube {
  /** Puts objects in as they are, outside of any validation; server bookkeeping is filled in when absent, unknown kinds become served ones. */
  load(objects: Iterable<KubeObject>): void;
  snapshot(): Snapshot;
  /** Replaces everything; every watch lists again. */
  restore(snapshot: Snapshot): void;
  /** Each write, in order, after it happened and before it is answered. Returns the way to stop. */
  onChange(listener: (change: Change) => void): () => void;
  /** The same cluster as another user, held to rules. */
  as(user: StoreUser): Kube;
  /** Later interceptors stand outside of earlier ones. Returns the way to take it out again. */
  intercept(interceptor: Interceptor): () => void;
  /** Ends the streams of watches; they resume by themselves. */
  closeWatches(resource?: Resource): void;
  /** Watches that are open get 410 and list again; continue tokens expire, of all kinds. */
  expireHistory(resource?: Resource): void;
  /** Every open watch gets a bookmark. None comes by itself. */
  bookmark(): void;
  /** Resolves when garbage collection has nothing left to do. */
  settled(): Promise<void>;
}
