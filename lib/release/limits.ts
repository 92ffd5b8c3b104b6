/** Largest file in bytes: four times the largest so far (operator-crds.yaml, 2.6 MB). */
export const mostBytes = 10_000_000;

/** Limits of a download. Tests use shorter ones. */
export type TimeLimits = {
  /** From the request to the answer's first byte, including connecting. */
  readonly answerMs: number;
  /** Between two chunks of the body. */
  readonly idleMs: number;
  /** For a whole file, with all interruptions and waits. */
  readonly wholeMs: number;
  /** Consecutive tries without any bytes of the file. */
  readonly tries: number;
  /** The first wait; each further one is doubled, and a random part of it is waited. */
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
