/** Four times the largest file of a release so far (operator-crds.yaml, 2.6 MB). */
export const mostBytes = 10_000_000;

/** How long a download may take, and how often it is tried. Tests have shorter ones. */
export type TimeLimits = {
  /** From the request to the first byte of the answer's head, connecting included. */
  readonly answerMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** A whole file, with every break and wait. */
  readonly wholeMs: number;
  /** Tries in a row that bring nothing; one that brought a piece of the file does not count. */
  readonly tries: number;
  /** The first wait; each one after it is twice as long, and a random part of it is waited. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
};

export const patience: TimeLimits = {
  answerMs: 20_000,
  idleMs: 20_000,
  wholeMs: 300_000,
  tries: 4,
  firstWaitMs: 500,
  longestWaitMs: 8_000,
};

export const mostRedirects = 5;
