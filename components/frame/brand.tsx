'use client';

import Link from 'next/link';
import { clustersPath } from './paths.ts';

/** Two tracks and what moves between them. */
export function Brand() {
  return (
    <Link
      href={clustersPath}
      prefetch={false}
      className="inline-flex min-h-8 items-center gap-2 rounded-md px-2 font-[640] tracking-[-0.01em] text-ink no-underline"
    >
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
        <path d="M2 6h18M2 16h18M6 6l8 10" className="stroke-ink" strokeWidth="2" fill="none" />
        <circle cx="10" cy="11" r="3.4" className="fill-blue" />
      </svg>
      Signalbox
    </Link>
  );
}
