'use client';

/** A client component; ui/state-icon.tsx says why. */
export function DownIcon() {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className="shrink-0 stroke-ink-3">
      <path d="M1.5 3.5L5 7l3.5-3.5" fill="none" strokeWidth="1.5" />
    </svg>
  );
}
