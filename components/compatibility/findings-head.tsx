import { PageHead } from '#components/ui/page-head.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { counted } from '#lib/base/words.ts';
import type { Findings } from '#lib/checks/index.ts';
import { type FindingInState, findingsInState, openCounts } from '#lib/console/wizard/index.ts';
import { CheckAllAgain } from './check-all-again.tsx';

/** "35 checks on 14 nodes, 2 seconds ago. One must be fixed, two are yours to decide." */
export function FindingsHead({
  title,
  findings,
  nodes,
  observedAt,
}: {
  title: string;
  findings: Findings;
  nodes: number;
  observedAt: string;
}) {
  return (
    <PageHead
      title={title}
      sub={
        <>
          {counted(findings.findings.length, 'check')} on {counted(nodes, 'node')}, <RelativeTime at={observedAt} />.{' '}
          {findingsSentence(findingsInState(findings))}
        </>
      }
      actions={<CheckAllAgain />}
    />
  );
}

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** "One must be fixed, two are yours to decide." */
function findingsSentence(found: readonly FindingInState[]): string {
  const { blocking, toDecide } = openCounts(found);
  if (blocking === 0 && toDecide === 0) return 'Nothing stands in the way.';
  const fix = blocking === 0 ? null : `${inWords(blocking)} must be fixed`;
  const decide = toDecide === 0 ? null : `${inWords(toDecide)} ${toDecide === 1 ? 'is' : 'are'} yours to decide`;
  if (fix === null) return `${decide}.`;
  return decide === null ? `${fix}.` : `${fix}, ${decide.charAt(0).toLowerCase()}${decide.slice(1)}.`;
}

function inWords(count: number): string {
  return words[count] ?? String(count);
}
