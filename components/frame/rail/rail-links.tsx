'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { railPlace } from './rail-place.ts';

export type RailLink = { href: string; label: string; count?: ReactNode };

/** `aria-current` marks the present page, or the section that it belongs to. */
export function RailLinks({ label, links }: { label: string; links: readonly RailLink[] }) {
  const place = railPlace(
    usePathname(),
    links.map(({ href }) => href),
  );
  return (
    <nav aria-label={label}>
      <ul className="flex flex-col gap-0.5">
        {links.map(({ href, label: name, count }, index) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              aria-current={place?.at === index ? place.is : undefined}
              className="flex min-h-8 items-center justify-between gap-2 rounded-md border border-transparent px-2 py-1 text-ink-2 no-underline hover:bg-line aria-[current]:border-line aria-[current]:bg-sheet aria-[current]:text-ink"
            >
              {name}
              {count !== undefined && <span className="text-ink-3">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
