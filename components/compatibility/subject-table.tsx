import { BreakableText } from '#components/ui/breakable-text.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { counted } from '#lib/base/words.ts';
import { sameCause } from '#lib/checks/index.ts';
import type { Subject } from '#lib/facts/index.ts';
import { ManySubjects } from './many-subjects.tsx';
import { subjectName } from './subject-name.ts';

/** Every subject of a finding, never only the first: the same cause is one line, with the subjects behind it. Of many only those in sight are drawn. */
export function SubjectTable({ subjects }: { subjects: readonly Subject[] }) {
  const causes = sameCause(subjects);
  if (causes.length > fewRows) return <ManySubjects subjects={subjects} />;
  return (
    <table className="mt-2 w-full text-sm">
      <caption className="sr-only">Affected</caption>
      <tbody>
        {causes.map((cause) => (
          <tr
            key={subjectName(cause[0])}
            className="border-t border-dashed border-line align-top max-[479px]:block max-[479px]:py-1"
          >
            <th
              scope="row"
              className="w-2/5 py-1 pr-3 text-left font-mono font-normal [overflow-wrap:anywhere] max-[479px]:block max-[479px]:w-full max-[479px]:py-0"
            >
              {cause.length === 1 ? <BreakableText text={subjectName(cause[0])} /> : <Together cause={cause} />}
            </th>
            <td className="py-1 [overflow-wrap:anywhere] max-[479px]:block max-[479px]:py-0">{cause[0].detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A sentence that names each subject with what is wrong there needs no table below it. */
export function tellsAll(because: string, subjects: readonly Subject[]): boolean {
  return subjects.every(({ name, detail }) => because.includes(name) && because.includes(detail));
}

function Together({ cause }: { cause: readonly [Subject, ...Subject[]] }) {
  const noun = cause[0].kind === 'Node' ? 'node' : 'object';
  if (cause.length > fewRows)
    return (
      <Disclosure summary={counted(cause.length, noun)}>
        <ManySubjects subjects={cause.map((one) => ({ ...one, detail: '' }))} />
      </Disclosure>
    );
  return (
    <Disclosure summary={counted(cause.length, noun)}>
      <ul>
        {cause.map((one) => (
          <li key={subjectName(one)}>
            <BreakableText text={subjectName(one)} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

const fewRows = 50;
