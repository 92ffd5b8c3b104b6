import { Panel } from '#components/ui/panel.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import type { GatesByRelease } from '#lib/reference/index.ts';

type Gate = GatesByRelease['gates'][number];
type Row = GatesByRelease['rows'][number];
type Letter = Row['cells'][number][number];

const tints = { bad: 'bg-red-tint text-red', warn: 'bg-amber-tint text-amber', idle: 'bg-sunk text-ink' } as const;
const ofAnUpgrade = 'text-ink-2';

/** Every release against every gate. Colour only where it is so of the release itself; what only concerns an upgrade stays plain. */
export function GateMatrix({ matrix, rows }: { matrix: GatesByRelease; rows: GatesByRelease['rows'] }) {
  const { gates, letters, textOnly } = matrix;
  return (
    <Panel title="Gates and releases" aside={rows.length}>
      <div className="grid gap-x-8 gap-y-3 px-4 py-3 text-sm min-[900px]:grid-cols-2">
        <dl className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-y-0.5">
          {Object.entries(letters).map(([letter, means]) => (
            <div key={letter} className="contents">
              <dt className="font-mono font-semibold">{letter}</dt>
              <dd className="text-ink-2">{means}</dd>
            </div>
          ))}
        </dl>
        <p className="text-ink-2">
          Empty: nothing is known, which is not a promise. {textOnly.join(', ')}{' '}
          {textOnly.length === 1 ? 'stands' : 'stand'} in no column: releases alone do not tell.{' '}
          <span className="rounded bg-red-tint px-1 text-red">Red</span> gates block,{' '}
          <span className="rounded bg-amber-tint px-1 text-amber">amber</span> ones ask for a hop, a change or a look;
          what concerns an upgrade only is plain.
        </p>
      </div>
      <div className="border-t border-line max-[899px]:hidden">
        <TableBox label="Gates and releases">
          <table className="[&_td]:!px-1 [&_td]:!py-1 [&_td]:text-center [&_th]:!px-1 [&_th]:!py-1.5 [&_tr>th:first-child]:!pl-4">
            <thead>
              <tr>
                <th scope="col">Release</th>
                {gates.map(({ id, condition }) => (
                  <th key={id} scope="col" title={condition} className="!text-center">
                    <a href={`#${id}`} className="inline-flex min-h-6 items-center">
                      {id}
                    </a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ release, cells }) => (
                <tr key={release} className="hover:bg-sunk">
                  <th scope="row" className="border-t border-line font-[560] whitespace-nowrap !text-ink tabular-nums">
                    {release}
                  </th>
                  {gates.map((gate, at) => (
                    <td key={gate.id}>
                      <CellMark gate={gate} letters={cells[at] ?? []} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      </div>
      <ul className="border-t border-line min-[900px]:hidden">
        {rows.map((row) => (
          <ReleaseLine key={row.release} row={row} gates={gates} />
        ))}
      </ul>
    </Panel>
  );
}

/** A release with the gates that say something of it, for screens that have no room for 22 columns. */
function ReleaseLine({ row: { release, cells }, gates }: { row: Row; gates: readonly Gate[] }) {
  const marked = gates.flatMap((gate, at) =>
    (cells[at]?.length ?? 0) > 0 ? [{ gate, letters: cells[at] ?? [] }] : [],
  );
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2 border-t border-line px-4 py-2 first:border-t-0">
      <span className="text-sm font-[560]">{release}</span>
      {marked.length === 0 ? (
        <span className="text-sm text-ink-2">Nothing is known.</span>
      ) : (
        <ul className="flex flex-wrap gap-1">
          {marked.map(({ gate, letters }) => (
            <li key={gate.id}>
              <a
                href={`#${gate.id}`}
                title={gate.condition}
                className={`inline-flex min-h-6 items-center gap-1 rounded px-1.5 text-xs no-underline ${lookOf(gate, letters)}`}
              >
                {gate.id} <span className="font-mono">{letters.join(' ')}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function CellMark({ gate, letters }: { gate: Gate; letters: readonly Letter[] }) {
  if (letters.length === 0) return null;
  return (
    <span
      title={`${gate.id}, ${gate.action}: ${gate.condition}`}
      className={`inline-block min-w-6 rounded px-1 font-mono text-xs font-semibold ${lookOf(gate, letters)}`}
    >
      {letters.join(' ')}
    </span>
  );
}

function lookOf(gate: Gate, letters: readonly Letter[]): string {
  return letters.includes('T') || letters.includes('K') ? tints[gate.state] : ofAnUpgrade;
}
