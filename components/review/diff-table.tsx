import type { ReactNode } from 'react';
import { changedPart } from './changed-part.ts';
import type { DiffLine, ObjectDiff } from './diff-lines.ts';

const verbs = { created: 'Creates', deleted: 'Deletes', changed: 'Changes' } as const;
const signs = {
  same: { sign: ' ', word: '' },
  added: { sign: '+', word: 'added' },
  removed: { sign: '−', word: 'removed' },
};
const tints = { same: 'text-ink-2', added: 'bg-green-tint text-ink', removed: 'bg-red-tint text-ink' } as const;

/**
 * An object's change as a table, rendered on the server, so that it can be read aloud and printed, and works without script. Long ones scroll in their own box.
 * `of`: `step 5`. `rehearsed`: how the change was tested.
 */
export function DiffTable({ diff, of, rehearsed }: { diff: ObjectDiff; of: string; rehearsed?: ReactNode }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border border-line bg-sheet">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line px-3 py-1.5 text-sm text-ink-2">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {verbs[diff.change]} <code className="text-ink">{diff.object}</code>
        </span>
        {rehearsed}
      </figcaption>
      <section
        aria-label={`${of}: ${verbs[diff.change]} ${diff.object}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
        tabIndex={0}
        className="relative max-h-80 overflow-auto print:max-h-none"
      >
        <table className="w-full border-collapse font-mono text-[12.5px] leading-[18px]">
          <thead className="sr-only">
            <tr>
              <th scope="col">What happens to the line</th>
              <th scope="col">Line</th>
            </tr>
          </thead>
          <tbody>
            {diff.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place, and never move.
              <Line key={index} line={line} other={partner(diff.lines, index)} />
            ))}
          </tbody>
        </table>
      </section>
    </figure>
  );
}

function Line({ line, other }: { line: DiffLine; other: string | null }) {
  if (line.kind === 'gap')
    return (
      <tr className="text-ink-3">
        <td className="w-6 pl-3" />
        <td className="pr-3">
          <span aria-hidden="true">⋯</span>
          <span className="sr-only">Lines that stay the same are left out here.</span>
        </td>
      </tr>
    );
  const { sign, word } = signs[line.kind];
  const part = other === null ? null : changedPart(line.text, other);
  return (
    <tr className={tints[line.kind]}>
      <td className={`w-6 pl-3 select-none ${line.kind === 'added' ? 'text-green' : 'text-red'}`}>
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{word}</span>
      </td>
      <td className="pr-3 whitespace-pre">
        {part === null ? (
          line.text || ' '
        ) : (
          <>
            {line.text.slice(0, part.from)}
            <Mark kind={line.kind}>{line.text.slice(part.from, part.to)}</Mark>
            {line.text.slice(part.to)}
          </>
        )}
      </td>
    </tr>
  );
}

function Mark({ kind, children }: { kind: 'same' | 'added' | 'removed'; children: string }) {
  if (kind === 'removed') return <del className="font-semibold text-red">{children}</del>;
  return <ins className="font-semibold text-green no-underline">{children}</ins>;
}

/** The line that replaces a removed one; null if several were replaced together, so that pairs are unknown. */
function partner(lines: readonly DiffLine[], index: number): string | null {
  const at = (place: number) => lines[place];
  const kind = at(index)?.kind;
  const step = kind === 'removed' ? 1 : kind === 'added' ? -1 : 0;
  const other = at(index + step);
  if (step === 0 || other === undefined || other.kind !== (kind === 'removed' ? 'added' : 'removed')) return null;
  if (at(index - step)?.kind === kind || at(index + 2 * step)?.kind === other.kind) return null;
  return other.text;
}
