import type { ReactNode } from 'react';
import { diffLines } from './diff-lines.ts';
import { DiffTable } from './diff-table.tsx';

/** A unified diff of lib/plan as one table per object; nothing without differences. */
export function DiffTables({ unified, of, rehearsed }: { unified: string; of: string; rehearsed?: ReactNode }) {
  const diffs = diffLines(unified);
  if (diffs.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {diffs.map((diff, index) => (
        <DiffTable
          // biome-ignore lint/suspicious/noArrayIndexKey: an object may be written twice by one operation.
          key={index}
          diff={diff}
          of={diffs.length > 1 ? `${of}, part ${index + 1}` : of}
          rehearsed={rehearsed}
        />
      ))}
    </div>
  );
}
