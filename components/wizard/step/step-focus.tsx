'use client';

import { useEffect } from 'react';

let shown: string | null = null;

/** Focuses the heading after moving to a step; a loaded page starts at its top (WCAG 2.2, 2.4.3). */
export function StepFocus({ step }: { step: string }) {
  useEffect(() => {
    const came = shown !== null && shown !== step;
    shown = step;
    document
      .querySelector('nav[aria-label="Steps"] [aria-current="step"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
    if (came) document.getElementById('title')?.focus({ preventScroll: true });
  }, [step]);
  return null;
}
