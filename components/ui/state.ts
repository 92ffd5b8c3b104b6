/** Every state has a colour, an icon and a word (WCAG 2.2, 1.4.1). `idle`: ahead, or not decided yet. */
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

/** The background of a sentence with this state. */
export const stateTint: Record<State, string> = {
  ok: 'bg-green-tint',
  now: 'bg-amber-tint',
  warn: 'bg-amber-tint',
  bad: 'bg-red-tint',
  unknown: 'bg-violet-tint',
  idle: 'bg-sunk',
};
