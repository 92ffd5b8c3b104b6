import { counted } from '#components/ui/counted.ts';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { Findings } from '#lib/checks/index.ts';
import { standingFindings } from '#lib/console/wizard/index.ts';
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
    <div className="mb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h1 id="title" tabIndex={-1}>
          {title}
        </h1>
        <CheckAllAgain />
      </div>
      <p className="mt-0.5 text-ink-2">
        {counted(findings.findings.length, 'check')} on {counted(nodes, 'node')}, <RelativeTime at={observedAt} />.{' '}
        {findingsSentence(standingFindings(findings))}
      </p>
    </div>
  );
}
