import { type FocusEvent, useState } from 'react';

/** Event handlers for the element that shows the value: it is held while the mouse is over it or the keyboard focus is in it. */
export type HoldHandlers = {
  readonly onMouseEnter: () => void;
  readonly onMouseLeave: () => void;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
};

/**
 * The newest value, or while the user reads it, the held one, so that rows under the mouse or focus do not change. `show` takes the newest and keeps holding.
 */
export function useHeld<T>(newest: readonly T[]): {
  value: readonly T[];
  hold: HoldHandlers;
  isHeld: boolean;
  show: () => void;
} {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [kept, setKept] = useState(newest);
  // An empty list is never held.
  const isHeld = (isOver || hasFocus) && kept.length > 0;
  if (!isHeld && kept !== newest) setKept(newest);
  return {
    value: isHeld ? kept : newest,
    isHeld,
    show: () => setKept(newest),
    hold: {
      onMouseEnter: () => setOver(true),
      onMouseLeave: () => setOver(false),
      // Focus by a click does not hold, because it stays when the mouse moves elsewhere.
      onFocus: ({ target }) => setFocus(target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(hasFocus && currentTarget.contains(relatedTarget)),
    },
  };
}
