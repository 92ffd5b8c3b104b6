'use client';

import { useState } from 'react';

/** A filter that is kept in the address as `q`, so that a reload, a bookmark and a link have it; `given` is what the server found there. */
export const useFilter = (given: string) => useInAddress('q', given);

/** A text that is kept in the address under a name; an empty one leaves it. */
export function useInAddress(name: string, given: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(given);
  const change = (next: string) => {
    setText(next);
    const url = new URL(location.href);
    if (next.trim() === '') url.searchParams.delete(name);
    else url.searchParams.set(name, next);
    history.replaceState(history.state, '', url);
  };
  return [text, change];
}
