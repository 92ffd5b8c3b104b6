'use client';

import { Notice } from '#components/ui/notice.tsx';
import type { InstallationProblem, Path } from '#lib/installation/in-browser.ts';

/** All that is wrong or doubtful, each with a way to its place: a field of the form, or a line of the text. */
export function ProblemList({
  problems,
  lineOf,
  go,
}: {
  problems: readonly InstallationProblem[];
  /** The line in the text that is open; null where the form is. */
  lineOf: ((path: Path) => number) | null;
  go: (path: Path) => void;
}) {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return (
    <div aria-live="polite">
      {problems.length > 0 && (
        <Notice
          state={errors.length > 0 ? 'bad' : 'warn'}
          title={titleOf(errors.length, problems.length - errors.length)}
        >
          <ul className="mt-1 grid gap-1">
            {problems.map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two problems may say the same of the same field
              <li key={index} className="[overflow-wrap:anywhere]">
                <button
                  type="button"
                  className="text-left text-blue underline underline-offset-2"
                  onClick={() => go(one.path)}
                >
                  {lineOf === null ? one.field : `Line ${lineOf(one.path)}`}
                </button>
                : {lineOf === null ? one.words : one.sentence}
                {errors.length > 0 && one.severity === 'warning' && ' (a doubt: it does not stand in the way)'}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function titleOf(errors: number, warnings: number): string {
  if (errors === 0)
    return warnings === 1
      ? 'One thing to know before you continue.'
      : `${warnings} things to know before you continue.`;
  return errors === 1
    ? 'One field would be refused, or cut something off.'
    : `${errors} fields would be refused, or cut something off.`;
}
