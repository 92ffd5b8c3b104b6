import type { Window } from '#lib/flows/in-browser.ts';

/** The steps of a chart: `count` of them, each `stepSeconds` long, from `since` on. Seconds since the epoch. */
export type Steps = { readonly since: number; readonly stepSeconds: number; readonly count: number };

/** Chosen steps by the lines between them: 0 is where the chart begins, `count` where it ends; `first` is before `last`. */
export type Chosen = { readonly first: number; readonly last: number };
export type Edge = keyof Chosen;

/** The steps that a window touches; null where it is none, or beside the chart. */
export function chosenOf(window: Window | null, { since, stepSeconds, count }: Steps): Chosen | null {
  if (window === null) return null;
  const first = Math.max(0, Math.floor((window.since - since) / stepSeconds));
  const last = Math.min(count, Math.ceil((window.until - since) / stepSeconds));
  return first < last ? { first, last } : null;
}

export function windowOfSteps({ first, last }: Chosen, { since, stepSeconds }: Steps): Window {
  return { since: since + first * stepSeconds, until: since + last * stepSeconds };
}

/** What is chosen from one line to another, wherever each is: one step at least, and none outside the chart. */
export function between(one: number, other: number, { count }: Steps): Chosen {
  const within = (line: number) => Math.min(count, Math.max(0, Math.round(line)));
  const first = Math.min(count - 1, within(Math.min(one, other)));
  return { first, last: Math.max(first + 1, within(Math.max(one, other))) };
}

/** Drawn from one place of the chart to another, each a fraction of its width: the steps that it touches. */
export function drawn(from: number, to: number, steps: Steps): Chosen {
  const [left, right] = from < to ? [from, to] : [to, from];
  return between(Math.floor(left * steps.count), Math.ceil(right * steps.count), steps);
}

const far = 10;

/** What a key does to an edge, as with every slider; null: nothing. An edge does not pass the other. */
export function afterKey(key: string, edge: Edge, chosen: Chosen, { count }: Steps): Chosen | null {
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

/** How far a chart reaches, in seconds. */
export const spans = [
  { seconds: 15 * 60, words: '15 min' },
  { seconds: 3600, words: '1 h' },
  { seconds: 6 * 3600, words: '6 h' },
  { seconds: 86_400, words: '1 d' },
  { seconds: 7 * 86_400, words: '7 d' },
] as const;

/** What a chart of `span` seconds shows: up to now where the window is in that, else with the window in its middle. `now`: seconds. */
export function rangeOf(span: number, window: Window | null, now: number): Window {
  if (window === null || (window.since >= now - span && window.until <= now)) return { since: now - span, until: now };
  const length = window.until - window.since;
  const shown = Math.max(span, length);
  const after = Math.max(0, Math.min((shown - length) / 2, now - window.until));
  const until = Math.ceil(window.until + after);
  return { since: Math.max(0, until - Math.ceil(shown)), until };
}
