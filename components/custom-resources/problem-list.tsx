'use client';

import { Notice } from '#components/ui/notice.tsx';
import type { InstallationProblem, Path } from '#lib/installation/in-browser.ts';
import { fieldId } from './spec-editing.tsx';

/** All problems, each with a link to its field in the form or its line in the text. */
export function ProblemList({
  problems,
  lineOf,
  go,
}: {
  problems: readonly InstallationProblem[];
  /** The line of a path if the text is open; null: the form is. */
  lineOf: ((path: Path) => number) | null;
  go: (path: Path) => void;
}) {
  const wrong = problems.filter(({ severity }) => severity === 'error');
  const inOrder = lineOf === null ? problems : problems.toSorted((a, b) => lineOf(a.path) - lineOf(b.path));
  return (
    <div aria-live="polite" className="empty:-mb-4">
      {problems.length > 0 && (
        <Notice state={wrong.length > 0 ? 'bad' : 'warn'} title={titleOf(problems)}>
          <ul className="mt-1 grid gap-1">
            {inOrder.map(({ path, field, words, severity }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two problems may say the same of the same field
              <li key={index} className="[overflow-wrap:anywhere]">
                <a
                  href={`#${fieldId(path)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    go(path);
                  }}
                >
                  {lineOf === null ? field : `Line ${lineOf(path)}, ${field}`}
                </a>
                : {words}
                {wrong.length > 0 && severity === 'warning' && ' A warning; it does not block.'}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function titleOf(problems: readonly InstallationProblem[]): string {
  const fields = new Set(problems.filter(({ severity }) => severity === 'error').map(({ field }) => field)).size;
  if (fields === 1) return 'One field would be refused, or would cut something off.';
  if (fields > 1) return `${fields} fields would be refused, or would cut something off.`;
  return problems.length === 1
    ? 'One thing to know before you continue.'
    : `${problems.length} things to know before you continue.`;
}
