import type { Flow } from '../flow.ts';

/** A record for the sink. A loss is a record among the flows, because time that was not recorded is not time without traffic. */
export type Collected = { readonly type: 'flow'; readonly flow: Flow } | PossibleGap;

/** A time in which flows may be missing, in seconds since the epoch. */
export type PossibleGap = {
  readonly type: 'lost';
  readonly since: number;
  readonly until: number;
  readonly because: string;
};

/** The destination of flows. */
export type Sink = {
  /** Connects, if that is possible before there are flows. Called before each attempt to follow. Rejects with a SinkError. */
  open?(): Promise<void>;
  /** Stores a batch. When it resolves, all of it is stored except the `refused` records, which would be refused again. Rejects with a SinkError. */
  take(batch: readonly Collected[]): Promise<{ readonly refused: number; readonly because: string }>;
  close(): Promise<void>;
};

/** `waits`: the same batch may be taken later. `ends`: somebody must correct something first. `message` is a sentence. */
export class SinkError extends Error {
  override name = 'SinkError';
  readonly kind: 'waits' | 'ends';
  /** How long the other side asks to wait, in ms; null if it does not say. */
  readonly retryInMs: number | null;

  constructor(kind: 'waits' | 'ends', message: string, { cause, retryInMs = null }: SinkErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryInMs = retryInMs;
  }
}

type SinkErrorOptions = { readonly cause?: unknown; readonly retryInMs?: number | null };
