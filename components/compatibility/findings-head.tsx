import { PageHead } from '#components/ui/page-head.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { counted } from '#lib/base/words.ts';
import type { Findings } from '#lib/checks/index.ts';
import { findingsInState } from '#lib/console/wizard/index.ts';
import { CheckAllAgain } from './check-all-again.tsx';
import { findingsSentence } from './findings-sentence.ts';

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
