import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react';
import { narrowWindow, useWindowIs } from '#components/ui/browser/use-window-is.ts';
import { drawnRows, indexOfFlow, rowAt, withSpaces } from './row-places.ts';

/** Row heights in px, as in the rows' classes. The height of an opened body is measured; `body` is the estimate until then. */
const rowHeight = { wide: 36, narrow: 106, body: 320 } as const;

/**
 * The visible rows of the table. Always included are the opened flow's body, and the focused row with its neighbours, so that scrolling does not lose the focus and
 * Tab reaches the next row. Empty until the page's script runs.
 */
export function useRowsInSight({
  count,
  opened,
  bodyKey,
  viewKey,
}: {
  count: number;
  /** Index of the opened flow; below 0: none. */
  opened: number;
  /** Key of the opened flow's body. */
  bodyKey: string;
  /** The query; a change scrolls to the top. */
  viewKey: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useWindowIs(narrowWindow);
  const [focused, setFocused] = useState(-1);
  const all = opened < 0 ? count : count + 1;
  const virtual = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: all,
    getScrollElement: () => box.current,
    estimateSize: (index) =>
      rowAt(index, opened).is === 'body' ? rowHeight.body : isNarrow ? rowHeight.narrow : rowHeight.wide,
    getItemKey: useCallback(
      (index: number) => {
        const { is, place } = rowAt(index, opened);
        return is === 'body' ? bodyKey : place;
      },
      [opened, bodyKey],
    ),
    rangeExtractor: useCallback(
      (range: Range) => {
        const around =
          focused < 0 ? [] : [focused - 1, focused, focused + 1].map((place) => indexOfFlow(place, opened));
        return drawnRows(defaultRangeExtractor(range), opened < 0 ? around : [...around, opened + 1], range.count);
      },
      [focused, opened],
    ),
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are what has to be measured anew
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked is what begins at its top
  useEffect(() => {
    // In braces: what it answers in newer browsers, a promise, would be called as the effect's clean-up.
    box.current?.scrollTo({ top: 0 });
  }, [viewKey]);
  return {
    box,
    ...withSpaces(virtual.getVirtualItems(), virtual.getTotalSize()),
    measure: virtual.measureElement,
    /** Remembers the focused row, also after the focus has left, because the window may get it back. */
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest('tr[data-index]');
      const at = row instanceof HTMLElement ? rowAt(Number(row.dataset.index), opened) : null;
      if (at?.is === 'flow') setFocused(at.place);
    },
  };
}
