'use client';

import { useState } from 'react';

/** A filter in the URL's `q`, so that reloads, bookmarks and links keep it. `initial`: the server's value. */
export const useFilter = (initial: string) => useInAddress('q', initial);

/** A text in a URL parameter, which is removed if the text is empty. */
export function useInAddress(name: string, initial: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(initial);
  const change = (next: string) => {
    setText(next);
    const url = new URL(location.href);
    if (next.trim() === '') url.searchParams.delete(name);
    else url.searchParams.set(name, next);
    history.replaceState(history.state, '', url);
  };
  return [text, change];
}
