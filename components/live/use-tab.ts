'use client';

import { useEffect } from 'react';
import type { State } from '#components/ui/state-mark.tsx';

/**
 * The tab tells what the page tells: the sentence as its title, the state as the dot of its icon. Both are given back when the page is left. Null: the tab
 * stays as it is.
 */
export function useTab(told: { title: string; state: State } | null): void {
  const { title, state } = told ?? { title: null, state: null };
  useEffect(() => {
    if (title === null || state === null) return;
    const before = document.title;
    const icons = new Map<HTMLLinkElement, string>();
    const show = () => {
      if (document.title !== title) document.title = title;
      for (const icon of document.head.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
        if (!icons.has(icon)) icons.set(icon, icon.href);
        if (!icon.href.endsWith(`/state/${state}.svg`)) icon.href = `/state/${state}.svg`;
      }
    };
    show();
    // A page's own title and icon may come after the page, and browsers take the last.
    const later = new MutationObserver(show);
    later.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      later.disconnect();
      // Whoever came after us has set a title of their own.
      if (document.title === title) document.title = before;
      for (const [icon, href] of icons) icon.href = href;
    };
  }, [title, state]);
}
