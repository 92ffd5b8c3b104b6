import type { Window } from '#lib/flows/in-browser.ts';

/** The steps of a chart: `count` steps of `stepSeconds`, from `since` on (seconds since 1970). */
export type Steps = { readonly since: number; readonly stepSeconds: number; readonly count: number };

/** Chosen steps by their boundaries: 0 is the chart's start, `count` its end; `first` is less than `last`. */
export type StepRange = { readonly first: number; readonly last: number };
export type Edge = keyof StepRange;

/** The steps that a window touches; null if there is no window, or it is outside of the chart. */
export function chosenOf(window: Window | null, { since, stepSeconds, count }: Steps): StepRange | null {
  if (window === null) return null;
  const first = Math.max(0, Math.floor((window.since - since) / stepSeconds));
  const last = Math.min(count, Math.ceil((window.until - since) / stepSeconds));
  return first < last ? { first, last } : null;
}

export function windowOfSteps({ first, last }: StepRange, { since, stepSeconds }: Steps): Window {
  return { since: since + first * stepSeconds, until: since + last * stepSeconds };
}

/** The steps between two boundaries in any order: at least one, and none outside the chart. */
export function rangeBetween(one: number, other: number, { count }: Steps): StepRange {
  const within = (line: number) => Math.min(count, Math.max(0, Math.round(line)));
  const first = Math.min(count - 1, within(Math.min(one, other)));
  return { first, last: Math.max(first + 1, within(Math.max(one, other))) };
}

/** The steps touched by a drag between two places, each a fraction of the chart's width. */
export function rangeOfDrag(from: number, to: number, steps: Steps): StepRange {
  const [left, right] = from < to ? [from, to] : [to, from];
  return rangeBetween(Math.floor(left * steps.count), Math.ceil(right * steps.count), steps);
}

const far = 10;

/** The choice after a key on an edge, as for sliders; null: no change. An edge cannot pass the other. */
export function afterKey(key: string, edge: Edge, chosen: StepRange, { count }: Steps): StepRange | null {
  const by: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -far,
    PageUp: far,
    Home: -count,
    End: count,
  };
  const move = by[key];
  if (move === undefined) return null;
  return edge === 'first'
    ? { ...chosen, first: Math.max(0, Math.min(chosen.last - 1, chosen.first + move)) }
    : { ...chosen, last: Math.min(count, Math.max(chosen.first + 1, chosen.last + move)) };
}

/** Lengths of charts, in seconds. */
export const chartLengths = [
  { seconds: 15 * 60, words: '15 min' },
  { seconds: 3600, words: '1 h' },
  { seconds: 6 * 3600, words: '6 h' },
  { seconds: 86_400, words: '1 d' },
  { seconds: 7 * 86_400, words: '7 d' },
] as const;

/** The range of a chart of `span` seconds: up to now if that contains the window, otherwise centred on the window. `now`: seconds. */
export function rangeOf(span: number, window: Window | null, now: number): Window {
  if (window === null || (window.since >= now - span && window.until <= now)) return { since: now - span, until: now };
  const length = window.until - window.since;
  const shown = Math.max(span, length);
  const after = Math.max(0, Math.min((shown - length) / 2, now - window.until));
  const until = Math.ceil(window.until + after);
  return { since: Math.max(0, until - Math.ceil(shown)), until };
}
