import type { ReactNode } from 'react';

/** Text with commands that name the cluster by paths and contexts of this machine, and what stands on paper in its place, which goes to others. */
export function OnPaper({
  screen,
  paper,
  as = (text) => text,
}: {
  screen: string;
  paper: string;
  /** How each of them is shown. */
  as?: (text: string) => ReactNode;
}) {
  if (screen === paper) return as(screen);
  return (
    <>
      <span className="contents print:hidden">{as(screen)}</span>
      <span className="hidden print:contents print:[font-size:inherit]!">{as(paper)}</span>
    </>
  );
}
