import { lineWords, type RunPace } from '#components/run/line-words.ts';
import { TableBox } from '#components/ui/table-box.tsx';
import type { Report } from '#lib/run/index.ts';

type Line = Report['operations'][number];

/** The steps of a report with outcome and time. */
export function ReportTable({ lines, label, pace }: { lines: readonly Line[]; label: string; pace: RunPace }) {
  return (
    <TableBox label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Step</th>
            <th scope="col">State</th>
            <th scope="col">Begun</th>
            <th scope="col">Finished</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ seq, id, title, state, outcome, begunAt, finishedAt, note }) => (
            <tr key={seq} className="break-inside-avoid">
              <td>{seq}</td>
              <td>
                {title} <code className="block text-ink-3">{id}</code>
              </td>
              <td className="whitespace-nowrap">{lineWords({ state, outcome }, pace).word}</td>
              <td className="whitespace-nowrap">{begunAt === null ? '–' : <ExactTime at={begunAt} />}</td>
              <td className="whitespace-nowrap">{finishedAt === null ? '–' : <ExactTime at={finishedAt} />}</td>
              <td className="min-w-40">{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** An exact time in UTC, because reports are read later and elsewhere. */
export function ExactTime({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {at.slice(0, 10)} {at.slice(11, 19)}
    </time>
  );
}
