'use client';

import { useMemo, useSyncExternalStore } from 'react';

/** Values for browsers without storage, kept until the page is left. */
const unkept = new Map<string, string>();
const changes = new EventTarget();

/**
 * A value that this browser stores under a name, for all tabs. `read` parses the stored text, which may be null, of another release, or written by others. `read` must
 * be the same function in each render, so that the value stays the same object while the text does.
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
  changes.dispatchEvent(new Event('change'));
}

/** The event `storage` reports changes of other tabs. */
function subscribe(changed: () => void): () => void {
  addEventListener('storage', changed);
  changes.addEventListener('change', changed);
  return () => {
    removeEventListener('storage', changed);
    changes.removeEventListener('change', changed);
  };
}
