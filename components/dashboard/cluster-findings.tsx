import { FindingsHead } from '#components/compatibility/findings-head.tsx';
import { PartialNotice } from '#components/compatibility/partial-notice.tsx';
import { RecheckProvider } from '#components/compatibility/recheck.tsx';
import { RecheckProblem } from '#components/compatibility/recheck-problem.tsx';
import { FindingsTable } from '#components/compatibility/table/findings-table.tsx';
import { type ClusterEntry, type HostAnswer, host } from '#lib/console/host.ts';
import { findingsInState, goalWords, isVerified } from '#lib/console/wizard/index.ts';
import { NoDashboard } from './no-dashboard.tsx';

/** The findings of a cluster. */
export async function ClusterFindings({
  entry,
  title,
  again,
}: {
  entry: ClusterEntry;
  title: string;
  again: () => Promise<HostAnswer<null>>;
}) {
  const answer = await host().findings(entry.slug, 'kept');
  if (!answer.ok) return <NoDashboard entry={entry} failure={answer} />;
  const { facts, findings, flags } = answer.value;
  return (
    <RecheckProvider again={again}>
      <FindingsHead
        title={title}
        findings={findings}
        left={findingsInState(findings).filter((one) => !isVerified(one))}
        facts={facts}
        goal={goalWords[findings.goal]}
      />
      <RecheckProblem />
      <PartialNotice facts={facts} />
      <FindingsTable findings={findings} flags={flags} />
    </RecheckProvider>
  );
}
