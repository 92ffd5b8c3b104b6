import type { Duplex } from 'node:stream';
import type { Resource } from '#lib/spec/index.ts';
import type { Clock } from '../clock.ts';
import type { KubeObject } from '../object.ts';
import type { ExecResult, Kube, LogOptions } from '../port.ts';
import type { AccessRule, StoreUser } from './access.ts';
import type { Interceptor } from './calls.ts';
import type { Snapshot } from './contents.ts';
import type { Change } from './read/history.ts';

/** Answers for a sandbox's pods, since the store runs none. A call without a handler is `unsupported`. */
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
  /** `gitVersion` to report; null (default): unknown. */
  version?: string | null;
  /** Kinds to serve without a schema, besides built-in ones and those of CustomResourceDefinitions. */
  kinds?: readonly Resource[];
  objects?: Iterable<KubeObject>;
  /** Permissions of the store's own user; default: everything. `as` makes other users. */
  access?: readonly AccessRule[];
  pods?: PodHandlers;
};

/** A cluster in memory, with controls for sandboxes and tests that no API has. */
export interface Store extends Kube {
  /** Adds objects without validation. Absent metadata of the server is filled in, and unknown kinds become served. */
  load(objects: Iterable<KubeObject>): void;
  snapshot(): Snapshot;
  /** Replaces everything; every watch lists again. */
  restore(snapshot: Snapshot): void;
  /** Calls the listener for each write, in order, before the write is answered. Returns a function that removes the listener. */
  onChange(listener: (change: Change) => void): () => void;
  /** The same cluster as another user, with that user's permissions. */
  as(user: StoreUser): Kube;
  /** Later interceptors wrap earlier ones. Returns a function that removes it. */
  intercept(interceptor: Interceptor): () => void;
  /** Ends the streams of watches; they resume by themselves. */
  closeWatches(resource?: Resource): void;
  /** Open watches get 410 and list again; continue tokens of all kinds expire. */
  expireHistory(resource?: Resource): void;
  /** Sends every open watch a bookmark. The store sends none by itself. */
  bookmark(): void;
  /** Resolves when garbage collection is finished. */
  settled(): Promise<void>;
}
