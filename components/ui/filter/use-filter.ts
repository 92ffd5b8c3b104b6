'use client';

import { useState } from 'react';

/** A filter that is kept in the address as `q`, so that a reload, a bookmark and a link have it; `given` is what the server found there. */
export function useFilter(given: string): [filter: string, change: (filter: string) => void] {
  const [filter, setFilter] = useState(given);
  const change = (next: string) => {
    setFilter(next);
    const url = new URL(location.href);
    if (next.trim() === '') url.searchParams.delete('q');
    else url.searchParams.set('q', next);
    history.replaceState(history.state, '', url);
  };
  return [filter, change];
}
