import { Fragment } from 'react';
import type { Subject } from '#lib/facts/index.ts';
import { ManySubjects } from './many-subjects.tsx';
import { subjectName } from './subject-name.ts';

/** Every subject of a finding, never only the first. Above `fewSubjects` only those in sight are drawn. */
export function SubjectTable({ subjects }: { subjects: readonly Subject[] }) {
  if (subjects.length > fewSubjects) return <ManySubjects subjects={subjects} />;
  return (
    <table className="mt-2 w-full text-sm">
      <caption className="sr-only">Affected</caption>
      <tbody>
        {subjects.map((subject) => (
          <tr
            key={`${subjectName(subject)} ${subject.detail}`}
            className="border-t border-dashed border-line align-top"
          >
            <th scope="row" className="w-2/5 py-1 pr-3 text-left font-mono font-normal [overflow-wrap:anywhere]">
              <Breakable name={subjectName(subject)} />
            </th>
            <td className="py-1 [overflow-wrap:anywhere]">{subject.detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A long name breaks after a slash before it breaks anywhere else. */
function Breakable({ name }: { name: string }) {
  return name.split(/(?<=\/)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}

const fewSubjects = 50;
