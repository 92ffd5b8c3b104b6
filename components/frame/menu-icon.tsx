'use client';

/** A client component; ui/state-icon.tsx says why. */
export function MenuIcon() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" className="stroke-ink">
      <path d="M2 5h14M2 9h14M2 13h14" strokeWidth="1.6" fill="none" />
    </svg>
  );
}
