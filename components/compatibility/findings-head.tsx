import { nodeCountWords } from '#components/preflight/node-count-words.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { agreeing, counted, sentence } from '#lib/base/words.ts';
import { type Findings, lackWords } from '#lib/checks/index.ts';
import { type FindingInState, openCounts } from '#lib/console/wizard/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { CheckAllAgain } from './check-all-again.tsx';

/** "For Enable eBPF: 35 checks, 14 nodes, 2 seconds ago. One outage, one must be fixed, two are yours to decide." */
export function FindingsHead({
  title,
  findings,
  left,
  facts,
  goal = null,
}: {
  title: string;
  findings: Findings;
  /** What the checks are for, where the title does not say it. */
  goal?: string | null;
  /** The findings that count as open. */
  left: readonly FindingInState[];
  facts: Facts;
}) {
  return (
    <PageHead
      title={title}
      sub={
        <>
          {goal !== null && (
            <>
              For <b className="font-[560]">{goal}</b>:{' '}
            </>
          )}
          {counted(findings.findings.length, 'check')}, {nodeCountWords(facts)}, <RelativeTime at={facts.observedAt} />.{' '}
          {findingsSentence(left)}
        </>
      }
      actions={<CheckAllAgain />}
    />
  );
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** "One outage, one must be fixed, two are yours to decide." Findings that only lack permissions are no decisions: "32 only lack permissions, which one set of Roles gives." */
function findingsSentence(found: readonly FindingInState[]): string {
  const others = found.filter(({ finding }) => !finding.outage);
  const outages = found.length - others.length;
  const { blocking, toDecide, withheld } = openCounts(others);
  const unknown = others.filter(({ state }) => state === 'unknown').length - withheld.length;
  const parts = [
    outages === 0 ? '' : `${inWords(outages)} ${agreeing(outages, 'outage', 'outages')}`,
    blocking === 0 ? '' : `${inWords(blocking)} must be fixed`,
    toDecide === unknown
      ? ''
      : `${inWords(toDecide - unknown)} ${agreeing(toDecide - unknown, 'is', 'are')} yours to decide`,
    unknown === 0 ? '' : `${inWords(unknown)} ${agreeing(unknown, 'is', 'are')} not verified`,
    withheld.length === 0 ? '' : `${inWords(withheld.length)} ${lackWords(withheld)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Nothing stands in the way.' : sentence(parts.join(', '));
}

function inWords(count: number): string {
  return words[count] ?? String(count);
}
