import { useSyncExternalStore } from 'react';

/** The width of the classes `max-sm:`, in which a row of a table has several lines. */
export const narrowWindow = '(width < 40rem)';

/** Whether the window matches a media query; false on the server. */
export function useWindowIs(query: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const list = matchMedia(query);
      list.addEventListener('change', tell);
      return () => list.removeEventListener('change', tell);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}
