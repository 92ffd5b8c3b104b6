'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { referencePath } from './paths.ts';

/** The link to the reference, on every page. */
export function ReferenceLink() {
  const path = usePathname();
  return (
    <Link
      href={referencePath}
      prefetch={false}
      aria-current={path === referencePath ? 'page' : path.startsWith(`${referencePath}/`) ? 'true' : undefined}
      className="flex min-h-8 items-center rounded-md px-2 py-1 text-ink-2 no-underline hover:bg-line aria-[current]:text-ink"
    >
      Reference
    </Link>
  );
}
