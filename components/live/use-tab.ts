'use client';

import { useEffect } from 'react';
import type { State } from '#components/ui/state-mark.tsx';
import { tellTab } from './tell-tab.ts';

/** The tab tells what the page tells, until it is left: the sentence as its title, the state as the dot of its icon. Null: the tab stays as it is. */
export function useTab(told: { title: string; state: State } | null): void {
  const { title, state } = told ?? { title: null, state: null };
  useEffect(() => {
    if (title !== null && state !== null) return tellTab(title, state);
  }, [title, state]);
}
