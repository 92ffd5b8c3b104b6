/** Every state has its colour, its icon and its word (WCAG 2.2, 1.4.1). `idle` is ahead or not decided yet. */
const states = ['ok', 'now', 'warn', 'bad', 'unknown', 'idle'] as const;
export type State = (typeof states)[number];

export const stateText: Record<State, string> = {
  ok: 'text-green',
  now: 'text-amber',
  warn: 'text-amber',
  bad: 'text-red',
  unknown: 'text-violet',
  idle: 'text-ink-3',
};

/** What stands behind a sentence of that state. */
export const stateTint: Record<State, string> = {
  ok: 'bg-green-tint',
  now: 'bg-amber-tint',
  warn: 'bg-amber-tint',
  bad: 'bg-red-tint',
  unknown: 'bg-violet-tint',
  idle: 'bg-sunk',
};
