'use client';

import { type RefObject, useEffect, useState } from 'react';
import { findingOfHash, hashOf, type SameCause } from './finding-filter.ts';

/** The finding that the address names, as it was when the page came or was last followed. */
export function useAddressed(opened: string | null): string | null {
  const [addressed, setAddressed] = useState(opened);
  useEffect(() => {
    const read = () => setAddressed(findingOfHash(window.location.hash));
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return addressed;
}

/** `#finding-<id>` opens that line; `keepInAddress` writes the one that is opened there. */
export function useOpenByAddress(
  list: RefObject<HTMLUListElement | null>,
  rows: readonly ({ id: string } | SameCause<{ id: string }>)[],
) {
  const ids = rows.map((row) => ('rows' in row ? row.cause : row.id)).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that come later are looked through again
  useEffect(() => {
    const open = () => {
      const id = findingOfHash(window.location.hash);
      const line = id === null ? null : document.getElementById(`finding-${id}`)?.closest('details');
      if (!line || line.open || !list.current?.contains(line)) return;
      const cause = line.closest<HTMLDetailsElement>('details.group\\/cause');
      if (cause) cause.open = true;
      line.open = true;
      line.scrollIntoView({ block: 'nearest' });
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [ids, list]);
}

/**
 * Writes the open line into the address. When one line opens and another closes, the close may be reported last, so it removes only its own id.
 */
export function keepInAddress(id: string, isOpen: boolean): void {
  const { hash, pathname, search } = window.location;
  if ((findingOfHash(hash) === id) === isOpen) return;
  // With Next's own state this is no navigation; a navigation would discard the answer of an action that is under way.
  const query = new URLSearchParams(search);
  // The parameter names the line that was open when the page was loaded; now the fragment does.
  query.delete('finding');
  const text = query.size === 0 ? '' : `?${query}`;
  window.history.replaceState(window.history.state, '', `${pathname}${text}${isOpen ? hashOf(id) : ''}`);
}
