'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import type { Subject } from '#lib/facts/index.ts';

const shownAtFirst = 12;

/** Whom a problem is about: every one of them, the first dozen at once. */
export function SubjectList({ subjects }: { subjects: readonly Subject[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? subjects : subjects.slice(0, shownAtFirst);
  if (subjects.length === 0) return null;
  return (
    <div>
      <TableBox label="Whom it is about" className="max-h-96 overflow-y-auto rounded-md border border-line bg-sheet">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ kind, namespace, name, detail }) => (
              <tr key={`${kind}/${namespace}/${name}/${detail}`}>
                <td className="whitespace-nowrap">
                  {kind} <code>{namespace === null ? name : `${namespace}/${name}`}</code>
                </td>
                <td>{detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {subjects.length > shown.length && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          Show all {subjects.length.toLocaleString('en')}
        </Button>
      )}
    </div>
  );
}
