'use client';

import Link from 'next/link';
import type { GoalOption } from '#lib/console/wizard/index.ts';
import { Choices } from './choices.tsx';

export function GoalFields({ options, chosen, runs }: { options: GoalOption[]; chosen: string; runs: string }) {
  return (
    <Choices
      name="goal"
      legend="Goal"
      chosen={chosen}
      choices={options.map((option) => ({
        ...option,
        because:
          option.value === 'undo' ? (
            <>
              {option.because}{' '}
              <Link href={runs} prefetch={false}>
                See the runs of this cluster
              </Link>
            </>
          ) : (
            option.because
          ),
      }))}
    />
  );
}
