'use client';

import { useEffect } from 'react';
import type { State } from '#components/ui/state-mark.tsx';
import { tellTab } from './tell-tab.ts';

/** Shows a sentence as the tab's title and a state as its icon while the page is open. Null: the tab is unchanged. */
export function useTab(shown: { title: string; state: State } | null): void {
  const { title, state } = shown ?? { title: null, state: null };
  useEffect(() => {
    if (title !== null && state !== null) return tellTab(title, state);
  }, [title, state]);
}
