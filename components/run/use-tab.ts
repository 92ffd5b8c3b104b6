'use client';

import { useEffect } from 'react';
import type { State } from '#components/ui/state-mark.tsx';

/** The tab tells what the page tells: the sentence as its title, the state as the dot of its icon. Both are given back when the page is left. */
export function useTab(title: string, state: State): void {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      // Whoever came after us has set a title of their own.
      if (document.title === title) document.title = before;
    };
  }, [title]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!icon) return;
    const before = icon.href;
    icon.href = `/state/${state}.svg`;
    return () => {
      icon.href = before;
    };
  }, [state]);
}
