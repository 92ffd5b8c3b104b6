/** Seconds since the step's mark (a hint, never compared exactly), object, field, and the value it took. */
export type Row = readonly [t: number, object: string, field: string, value: string];

/** One mark: what was done, word for word, and when; and the meaningful states that came after it, in order. */
export type Step = { readonly mark: string; readonly at: number; readonly rows: readonly Row[] };

/** A recording of the public operator, distilled (distil.ts says what counts as meaningful). */
export type Recording = { readonly file: string; readonly steps: readonly Step[] };
