'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { sessionsPath } from './paths.ts';

/** The link to the sessions, on every page. */
export function SessionsLink() {
  return (
    <Link
      href={sessionsPath}
      prefetch={false}
      aria-current={usePathname() === sessionsPath ? 'page' : undefined}
      className="flex min-h-8 items-center rounded-md px-2 py-1 text-ink-2 no-underline hover:bg-line aria-[current]:text-ink"
    >
      Sessions
    </Link>
  );
}
