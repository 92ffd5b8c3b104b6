import { TableBox } from '#components/ui/table-box.tsx';
import type { Evidence } from '#lib/facts/index.ts';

/** Object, field and value as they were read, so that a finding can be verified by hand. */
export function EvidenceTable({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <TableBox label="What was read" className="-mx-4">
      <table>
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
            <tr key={`${object} ${path}`}>
              <td className="font-mono [overflow-wrap:anywhere]">{object}</td>
              <td className="font-mono break-words">{path}</td>
              <td className="font-mono break-words">{shown(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

const valueLimitChars = 400;

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'not there';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > valueLimitChars ? `${text.slice(0, valueLimitChars)}…` : text === '' ? '(empty)' : text;
}
