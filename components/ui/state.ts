/** Every state has its colour, its icon and its word (WCAG 2.2, 1.4.1). `idle` is ahead or not decided yet. */
export const states = ['ok', 'now', 'warn', 'bad', 'unknown', 'idle'] as const;
export type State = (typeof states)[number];

export const stateText: Record<State, string> = {
  ok: 'text-green',
  now: 'text-amber',
  warn: 'text-amber',
  bad: 'text-red',
  unknown: 'text-violet',
  idle: 'text-ink-3',
};
