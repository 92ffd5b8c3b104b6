import { Panel } from '#components/ui/panel.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { counted } from '#lib/base/words.ts';
import type { FieldKept } from '#lib/plan/index.ts';
import { ChangedValue } from './changed-value.tsx';

/** What people set on the operator itself, and the new one gets too. Nothing is asked. */
export function KeptFields({ kept }: { kept: readonly FieldKept[] }) {
  return (
    <Panel
      title="Carried over to the new operator"
      aside={kept.length === 0 ? undefined : counted(kept.length, 'field')}
    >
      {kept.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">
          The operator runs as its release published it: there is nothing to carry over and nothing to decide.
        </p>
      ) : (
        <TableBox label="Fields that are carried over">
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Stays</th>
                <th scope="col">In the new file</th>
              </tr>
            </thead>
            <tbody>
              {kept.map(({ object, path, mine, next }) => (
                <tr key={`${object}:${path}`}>
                  <th scope="row" className="border-t border-line align-top font-normal! text-ink!">
                    <code className="block min-w-44 [overflow-wrap:anywhere]">{path}</code>
                    <span className="text-xs text-ink-3 [overflow-wrap:anywhere]">{object}</span>
                  </th>
                  <td>
                    <ChangedValue value={mine} of={`${path}, which stays`} />
                  </td>
                  <td className="text-ink-2">
                    <ChangedValue value={next} of={`${path}, in the new file`} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </Panel>
  );
}
