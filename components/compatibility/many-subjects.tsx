'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { inputLook } from '#components/ui/field.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';
import { subjectName } from './subject-name.ts';

const rowPx = 28;

/** A scrolling box for thousands of subjects, with a filter; only visible rows are rendered, after mounting, because they are positioned by styles. */
export function ManySubjects({ subjects }: { subjects: readonly Subject[] }) {
  const takeOver = useTakeOver();
  const [filter, setFilter] = useState('');
  const [isMounted, setMounted] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => setMounted(true), []);
  const found = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    if (wanted === '') return subjects;
    return subjects.filter((one) => `${subjectName(one)} ${one.detail}`.toLowerCase().includes(wanted));
  }, [subjects, filter]);
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  const inSight = rows.getVirtualItems();
  return (
    <div className="mt-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor={id} className="text-sm text-ink-2">
          Filter
        </label>
        <input
          id={id}
          type="search"
          ref={takeOver}
          autoComplete="off"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className={`${inputLook} max-w-60`}
        />
        <span className="text-sm text-ink-3" aria-live="polite">
          {filter.trim() === ''
            ? counted(subjects.length, 'row')
            : `${thousands(found.length)} of ${counted(subjects.length, 'row')}`}
        </span>
      </div>
      <section
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
        tabIndex={0}
        aria-label="Affected"
        className="mt-2 h-64 overflow-y-auto rounded-md border border-line"
      >
        {isMounted && (
          <table aria-rowcount={found.length} className="w-full table-fixed border-collapse text-sm">
            <tbody>
              <Space px={inSight[0]?.start ?? 0} />
              {inSight.map(({ index, key }) => (
                <Row key={key} subject={found[index]} index={index} />
              ))}
              <Space px={rows.getTotalSize() - (inSight.at(-1)?.end ?? 0)} />
            </tbody>
          </table>
        )}
      </section>
    </div>
  );
}

function Row({ subject, index }: { subject: Subject | undefined; index: number }) {
  if (!subject) return null;
  return (
    <tr aria-rowindex={index + 1} className="h-7 border-b border-dashed border-line">
      <th scope="row" className="w-2/5 truncate px-3 text-left font-mono font-normal" title={subjectName(subject)}>
        {subjectName(subject)}
      </th>
      <td className="truncate pr-3" title={subject.detail}>
        {subject.detail}
      </td>
    </tr>
  );
}

/** Space for rows that are not rendered; invisible, so that it is not read out and causes no layout shift. */
function Space({ px }: { px: number }) {
  return px <= 0 ? null : (
    <tr className="invisible">
      <td colSpan={2} className="p-0" style={{ height: px }} />
    </tr>
  );
}
