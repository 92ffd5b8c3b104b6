'use client';

/** Points down while the surrounding Disclosure is open, or the group that `look` names. A client component for the reason that state-icon.tsx gives. */
export function Chevron({ look = 'transition-transform group-open/disclosure:rotate-90' }: { look?: string }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={`shrink-0 ${look}`}>
      <path d="M3 1.5L7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
