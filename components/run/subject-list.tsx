'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { thousands } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';

const shownAtFirst = 12;

/** The subjects of a problem: one in a line; several folded behind the first names, a dozen at a time. */
export function SubjectList({ subjects }: { subjects: readonly Subject[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? subjects : subjects.slice(0, shownAtFirst);
  const [first, second] = subjects;
  if (first === undefined) return null;
  if (second === undefined)
    return (
      <p>
        {first.kind} <Name subject={first} />: {first.detail}
      </p>
    );
  const more = subjects.length > 2 ? ` and ${thousands(subjects.length - 2)} more` : '';
  return (
    <Disclosure summary={`Affected: ${first.name}, ${second.name}${more}`}>
      <TableBox label="Affected" className="max-h-96 overflow-y-auto rounded-md border border-line bg-sheet">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((subject) => (
              <tr key={`${subject.kind}/${subject.namespace}/${subject.name}/${subject.detail}`}>
                <td className="whitespace-nowrap">
                  {subject.kind} <Name subject={subject} />
                </td>
                <td>{subject.detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {subjects.length > shown.length && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          Show all {thousands(subjects.length)}
        </Button>
      )}
    </Disclosure>
  );
}

function Name({ subject: { namespace, name } }: { subject: Subject }) {
  return <code>{namespace === null ? name : `${namespace}/${name}`}</code>;
}
