/** Seconds since the step's mark (never compared exactly), object, field, and its new value. */
export type Row = readonly [t: number, object: string, field: string, value: string];

/** One mark with its words and time, and the changes after it that count, in order. */
export type Step = { readonly mark: string; readonly at: number; readonly rows: readonly Row[] };

/** A recording of the public operator, reduced to the changes that count (distil.ts says which). */
export type Recording = { readonly file: string; readonly steps: readonly Step[] };
