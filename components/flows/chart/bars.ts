import type { HistorySeries } from '#lib/flows/index.ts';

type Step = HistorySeries['steps'][number];
export type Measure = 'flows' | 'bytes';

/** Heights above and below the axis, in pixels. `before`: the number of steps before it. */
export type Bar = { readonly before: number; readonly above: number; readonly below: number };
/** Consecutive steps that were not recorded. */
export type Gap = { readonly before: number; readonly length: number };

const leastHeight = 1.5;

/** Bars and gaps of a series. Both sides of the axis have the same scale; gaps are steps that were not recorded, as opposed to steps without flows. */
export function barsOf(
  steps: readonly Step[],
  measure: Measure,
  room: { readonly above: number; readonly below: number },
): { bars: Bar[]; gaps: Gap[] } {
  const above = (step: NonNullable<Step>) => (measure === 'bytes' ? step.bytes : step.allowed);
  const below = (step: NonNullable<Step>) => (measure === 'bytes' ? 0 : step.denied);
  const most = (of: (step: NonNullable<Step>) => number) =>
    steps.reduce((top, step) => Math.max(top, step ? of(step) : 0), 0);
  const scale = Math.min(room.above / Math.max(1, most(above)), room.below / Math.max(1, most(below)));
  // Small values stay visible.
  const height = (value: number) => (value === 0 ? 0 : Math.max(leastHeight, value * scale));
  const bars: Bar[] = [];
  const gaps: Gap[] = [];
  for (const [before, step] of steps.entries()) {
    const last = gaps.at(-1);
    if (step) bars.push({ before, above: height(above(step)), below: height(below(step)) });
    else if (last && last.before + last.length === before) gaps[gaps.length - 1] = { ...last, length: last.length + 1 };
    else gaps.push({ before, length: 1 });
  }
  return { bars, gaps };
}

/** Sums over some steps; `gaps`: number of steps that were not recorded. */
export type StepSums = {
  readonly allowed: number;
  readonly denied: number;
  readonly bytes: number;
  readonly gaps: number;
};

export function sumsOf(steps: readonly Step[]): StepSums {
  const measured = steps.filter((step) => step !== null);
  const sum = (of: (step: NonNullable<Step>) => number) => measured.reduce((total, step) => total + of(step), 0);
  return {
    allowed: sum(({ allowed }) => allowed),
    denied: sum(({ denied }) => denied),
    bytes: sum(({ bytes }) => bytes),
    gaps: steps.length - measured.length,
  };
}
