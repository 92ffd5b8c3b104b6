import { type FocusEvent, useState } from 'react';

/** Spread on what is read: the mouse is over it, or the focus is in it. */
export type Hold = {
  readonly onMouseEnter: () => void;
  readonly onMouseLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
};

/**
 * The newest value, but while somebody reads it the one that they began to read: what is under the mouse or has the focus is no other flow a moment
 * later. `release` ends that.
 */
export function useHeld<T>(newest: T): { value: T; hold: Hold; isHeld: boolean; release: () => void } {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [kept, setKept] = useState(newest);
  const isHeld = isOver || hasFocus;
  if (!isHeld && kept !== newest) setKept(newest);
  return {
    value: isHeld ? kept : newest,
    isHeld,
    release: () => {
      // What had the focus may be gone without a word.
      setOver(false);
      setFocus(false);
    },
    hold: {
      onMouseEnter: () => setOver(true),
      onMouseLeave: () => setOver(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
    },
  };
}
