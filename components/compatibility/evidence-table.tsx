import { BreakableText } from '#components/ui/breakable-text.tsx';
import { TableBox, tableAsBlocks } from '#components/ui/table-box.tsx';
import type { Evidence } from '#lib/facts/index.ts';

/** Object, field and value of the evidence, so that a finding can be verified by hand. */
export function EvidenceTable({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <TableBox label="What was read" className="-mx-4">
      <table className={tableAsBlocks}>
        <caption className="sr-only">What was read</caption>
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {evidence.map(({ object, path, value }) => (
            <tr key={`${object} ${path}`} className={rowAsBlock}>
              <td className="font-mono">
                <BreakableText text={object} />
              </td>
              <td className="font-mono max-sm:text-ink-2">
                <BreakableText text={path} />
              </td>
              <td className="font-mono">
                <BreakableText text={shown(value)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** On a telephone: the object, below it its field, below that the value. */
const rowAsBlock = 'max-sm:block max-sm:border-t max-sm:border-line max-sm:px-4 max-sm:py-1.5 max-sm:[&>td]:block';

const valueLimitChars = 400;

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'not there';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > valueLimitChars ? `${text.slice(0, valueLimitChars)}…` : text === '' ? '(empty)' : text;
}
