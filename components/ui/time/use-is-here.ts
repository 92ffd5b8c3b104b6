'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** True in the browser, once the page is its own: the server does not know the reader's clock, and the first picture is the server's. */
export function useIsHere(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
