'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Refreshes the page; the answer arrives once the cluster was read. */
export function LookWhenRead() {
  const router = useRouter();
  useEffect(() => router.refresh(), [router]);
  return (
    <noscript>
      <a href="?again">Check whether it was read</a>
    </noscript>
  );
}
