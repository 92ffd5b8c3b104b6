'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** A scrolling box for a long script, scrolled to this step's part. */
export function CommandPreviewScroll({ step, children }: { step: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step has another part to show.
  useEffect(() => {
    const here = box.current?.querySelector<HTMLElement>('[data-here]');
    if (box.current && here) box.current.scrollTop = here.offsetTop - box.current.offsetTop - roomAbovePx;
  }, [step]);
  return (
    <section
      ref={box}
      aria-label="Commands so far"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
      tabIndex={0}
      className="relative max-h-[min(60vh,34rem)] overflow-y-auto pb-3"
    >
      {children}
    </section>
  );
}

const roomAbovePx = 48;
