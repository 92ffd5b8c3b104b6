'use client';

import { useState } from 'react';

/** A filter in the URL's `q`, so that reloads, bookmarks and links keep it. `given`: the server's value. */
export const useFilter = (given: string) => useInAddress('q', given);

/** A text in a URL parameter, which is removed if the text is empty. */
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
