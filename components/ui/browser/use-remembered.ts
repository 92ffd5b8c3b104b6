'use client';

import { useMemo, useSyncExternalStore } from 'react';

/** Where a browser keeps nothing, what is said to it is true until the page goes. */
const unkept = new Map<string, string>();
const told = new EventTarget();

/**
 * What this browser remembers under a name, in all its tabs, until its user clears it. `read` judges what it finds there: null is nothing yet, and text may
 * be of another release, or anybody's. It is one function for good, so that a value stays the same while its text does.
 */
export function useRemembered<T>(name: string, read: (text: string | null) => T): [T, (value: T) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => textOf(name),
    () => null,
  );
  const value = useMemo(() => read(text), [read, text]);
  return [value, (next) => remember(name, JSON.stringify(next))];
}

function textOf(name: string): string | null {
  try {
    return localStorage.getItem(name) ?? unkept.get(name) ?? null;
  } catch {
    return unkept.get(name) ?? null;
  }
}

function remember(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    unkept.set(name, text);
  }
  told.dispatchEvent(new Event('change'));
}

/** `storage` comes from the other tabs. */
function subscribe(changed: () => void): () => void {
  addEventListener('storage', changed);
  told.addEventListener('change', changed);
  return () => {
    removeEventListener('storage', changed);
    told.removeEventListener('change', changed);
  };
}
