import { type FocusEvent, useState } from 'react';

/** Spread on what is read, together with what shows the newest of it: the mouse is over it, or the keyboard has its focus in it. */
export type Hold = {
  readonly onMouseEnter: () => void;
  readonly onMouseLeave: () => void;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
};

/**
 * The newest value, but while somebody reads it the one that they began to read: what is under the mouse or has the focus is no other flow a moment
 * later. `show` takes the newest, and goes on holding.
 */
export function useHeld<T>(newest: readonly T[]): {
  value: readonly T[];
  hold: Hold;
  isHeld: boolean;
  show: () => void;
} {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [kept, setKept] = useState(newest);
  // Nobody reads what is empty.
  const isHeld = (isOver || hasFocus) && kept.length > 0;
  if (!isHeld && kept !== newest) setKept(newest);
  return {
    value: isHeld ? kept : newest,
    isHeld,
    show: () => setKept(newest),
    hold: {
      onMouseEnter: () => setOver(true),
      onMouseLeave: () => setOver(false),
      // A click leaves the focus behind: whoever goes on elsewhere with the mouse reads no longer.
      onFocus: ({ target }) => setFocus(target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(hasFocus && currentTarget.contains(relatedTarget)),
    },
  };
}
