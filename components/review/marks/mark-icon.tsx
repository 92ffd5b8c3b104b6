import type { ReactNode } from 'react';

/** Two tracks that cross: traffic is touched. */
export const crossingTracks = <path d="M1 4h3.5l5 6H13M11 8l2 2-2 2M1 10h3.5l1.2-1.4M8.3 5.4L9.5 4H13M11 2l2 2-2 2" />;

/** A mark's shape, as high as the line that it stands in. */
export function MarkIcon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
      className="shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}
