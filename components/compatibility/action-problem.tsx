'use client';

import type { Answer } from '#lib/console/host.ts';

/** Why an answer was not recorded; nothing while it was. */
export function ActionProblem({ answer }: { answer: Answer<unknown> | null }) {
  if (answer === null || answer.ok) return null;
  return (
    <p role="alert" className="mt-1 text-sm font-[560] text-red">
      {answer.message}
    </p>
  );
}
