'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';

/** Asks the server for its parts of the page again when `of` changes: they were made from facts and runs as they were at the first look. */
export function useRefreshOnChange(of: string): void {
  const router = useRouter();
  const seen = useRef(of);
  useEffect(() => {
    if (seen.current === of) return;
    seen.current = of;
    router.refresh();
  }, [of, router]);
}
