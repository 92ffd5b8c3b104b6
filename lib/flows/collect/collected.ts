import type { Flow } from '../flow.ts';

/** What is handed on. What was lost is a record among the flows: time that was not recorded is not time in which nothing happened. */
export type Collected = { readonly type: 'flow'; readonly flow: Flow } | Lost;

/** Seconds since the epoch between which flows may be missing. */
export type Lost = {
  readonly type: 'lost';
  readonly since: number;
  readonly until: number;
  readonly because: string;
};

/** Where flows go. */
export type Sink = {
  /** Reaches it, where that is known before there are flows; before each attempt to follow. Rejects with a SinkError. */
  open?(): Promise<void>;
  /** All of it is kept when it resolves, but for the `refused`, which would be refused again. Rejects with a SinkError. */
  take(batch: readonly Collected[]): Promise<{ readonly refused: number; readonly because: string }>;
  close(): Promise<void>;
};

/** `waits`: the same may be taken later. `ends`: somebody has to do something first. `message` is a sentence. */
export class SinkError extends Error {
  override name = 'SinkError';
  readonly kind: 'waits' | 'ends';
  /** How long the other side asks to be left alone; null: it does not say. */
  readonly retryInMs: number | null;

  constructor(kind: 'waits' | 'ends', message: string, { cause, retryInMs = null }: SinkErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryInMs = retryInMs;
  }
}

type SinkErrorOptions = { readonly cause?: unknown; readonly retryInMs?: number | null };
