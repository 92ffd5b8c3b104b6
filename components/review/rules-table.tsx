import { TableBox } from '#components/ui/table-box.tsx';
import type { Rule } from '#lib/plan/index.ts';

/** The RBAC permissions that an operation uses. */
export function RulesTable({ rules, of }: { rules: readonly Rule[]; of: number }) {
  return (
    <TableBox label={`Permissions of step ${of}`} className="rounded-md border border-line">
      <table>
        <thead>
          <tr>
            <th scope="col">May</th>
            <th scope="col">Resource</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={JSON.stringify(rule)}>
              <td>{rule.verbs.join(', ')}</td>
              <td>
                <code>
                  {rule.resource}
                  {rule.subresource === undefined ? '' : `/${rule.subresource}`}
                  {rule.group === '' ? '' : `.${rule.group}`}
                </code>
              </td>
              <td>
                {rule.namespace ?? 'cluster'}
                {rule.names === undefined ? '' : `: ${rule.names.join(', ')}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
