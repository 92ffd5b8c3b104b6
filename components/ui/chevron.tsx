'use client';

/** Points down while what its summary opens is open, or what `look` names; not while something around that is. A client component for the reason that state-icon.tsx gives. */
export function Chevron({ look = 'transition-transform [details[open]>summary_&]:rotate-90' }: { look?: string }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={`shrink-0 ${look}`}>
      <path d="M3 1.5L7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
