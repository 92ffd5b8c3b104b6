import type { ReactNode } from 'react';
import { diffLines, type ObjectDiff } from '#components/review/diff-lines.ts';
import { DiffTable } from '#components/review/diff-table.tsx';
import { BreakableText } from '#components/ui/breakable-text.tsx';
import { Chevron } from '#components/ui/chevron.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { counted, inList } from '#lib/base/words.ts';
import type { Report } from '#lib/run/index.ts';

type Change = { object: string; parts: { seq: number; diff: ObjectDiff }[] };

const verbs = { created: 'created', deleted: 'deleted', changed: 'changed' } as const;

/** Objects that the run wrote, each once with its diffs. Closed, so that paper has the list and the page every line. */
export function WhatChanged({ operations, aside }: { operations: Report['operations']; aside: ReactNode }) {
  const changes = changesOf(operations);
  if (changes.length === 0) return null;
  return (
    <Panel
      title="What changed"
      aside={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          {counted(changes.length, 'object')}, and the journal
        </span>
      }
    >
      <ul className="divide-y divide-line">
        {changes.map(({ object, parts }) => (
          <li key={object} className="break-inside-avoid px-4 py-2 text-sm">
            <details>
              <summary className="flex min-h-6 list-none flex-wrap items-center gap-x-3 select-none [&::-webkit-details-marker]:hidden">
                <span className="flex min-w-0 items-center gap-x-3">
                  <Chevron />
                  <code className="min-w-0 text-ink [overflow-wrap:anywhere]">
                    <BreakableText text={object} />
                  </code>
                </span>
                <span className="text-ink-3">{howOf(parts)}</span>
              </summary>
              <div className="mt-2 flex flex-col gap-3">
                {parts.map(({ seq, diff }) => (
                  <DiffTable key={seq} diff={diff} of={`Step ${seq}`} />
                ))}
              </div>
            </details>
          </li>
        ))}
      </ul>
      <div className="border-t border-line px-4 py-3 print:hidden">{aside}</div>
    </Panel>
  );
}

/** In the order in which they were first written; steps that were never carried out changed nothing. */
function changesOf(operations: Report['operations']): Change[] {
  const changes = new Map<string, Change>();
  for (const { seq, diff, begunAt } of operations) {
    if (begunAt === null) continue;
    for (const one of diffLines(diff)) {
      const change = changes.get(one.object) ?? { object: one.object, parts: [] };
      changes.set(one.object, { ...change, parts: [...change.parts, { seq, diff: one }] });
    }
  }
  return [...changes.values()];
}

/** `created in step 3, changed in steps 5 and 8`. */
function howOf(parts: Change['parts']): string {
  const byVerb = Map.groupBy(parts, ({ diff }) => verbs[diff.change]);
  return [...byVerb]
    .map(
      ([verb, of]) =>
        `${verb} in step${of.length === 1 ? '' : 's'} ${inList(
          of.map(({ seq }) => String(seq)),
          9,
        )}`,
    )
    .join(', ');
}
