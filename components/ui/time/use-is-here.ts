'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** True in the browser after hydration. The server does not know the user's clock, and the first render must equal the server's. */
export function useIsHere(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
