import { type ReactNode, Suspense } from 'react';
import { isBlocker } from '#components/dashboard/findings-now.ts';
import { runStateWords } from '#components/dashboard/run-state-words.ts';
import { counted } from '#lib/base/words.ts';
import { causedByRuns } from '#lib/checks/index.ts';
import { type ClusterEntry, host, type Slug } from '#lib/console/host.ts';
import { findingsInState, isVerified, openCounts } from '#lib/console/wizard/index.ts';
import { ClusterSwitcher } from './cluster-switcher.tsx';
import { clusterPath, findingsPath, flowsPath, runsPath } from './paths.ts';
import { RailLinks } from './rail/rail-links.tsx';

/** What the rail holds on the pages of one cluster. The counts come when they come. */
export function ClusterRail({ clusters, cluster }: { clusters: readonly ClusterEntry[]; cluster: ClusterEntry }) {
  const { slug, name, problem } = cluster;
  const count = (child: ReactNode) => (problem === null ? <Suspense fallback={null}>{child}</Suspense> : null);
  return (
    <>
      <ClusterSwitcher clusters={clusters} current={name} />
      <RailLinks
        label={`Pages of ${name}`}
        links={[
          { href: clusterPath(slug), label: 'Dashboard' },
          { href: findingsPath(slug), label: 'Findings', count: count(<FindingsCount cluster={slug} />) },
          { href: runsPath(slug), label: 'Runs', count: count(<RunsCount cluster={slug} />) },
          { href: flowsPath(slug), label: 'Flows' },
        ]}
      />
    </>
  );
}

/** What is broken now comes before what blocks, and both before all that wants something of the reader. Nothing while that is not known: a nought would say that all is fine. */
async function FindingsCount({ cluster }: { cluster: Slug }) {
  const answer = await host()
    .findings(cluster, 'kept')
    .catch(() => null);
  if (!answer?.ok) return null;
  const found = findingsInState(answer.value.findings);
  const outages = found.filter(({ finding }) => finding.outage).length;
  if (outages > 0) return <span className="font-semibold text-red">{counted(outages, 'outage')}</span>;
  const { blocking, toDecide, withheld } = openCounts(found.filter((one) => !isVerified(one)));
  const isRunOpen = await hasOpenRun(cluster);
  const blockers = found.filter(({ finding }) => isBlocker(finding) && !(isRunOpen && causedByRuns(finding.id))).length;
  const open = blocking + toDecide + withheld.length;
  if (blockers > 0)
    return (
      <span className="font-semibold text-amber" title={`${blockers} of ${counted(open, 'open finding')} to fix first`}>
        {blockers} blocking
      </span>
    );
  return <Count count={open} of={open === 1 ? 'open finding' : 'open findings'} />;
}

/** A run that is under way fails some checks by itself, and ends what it began. */
async function hasOpenRun(cluster: Slug): Promise<boolean> {
  const answer = await host()
    .runs(cluster)
    .catch(() => null);
  return answer?.ok === true && answer.value.runs.some((run) => runStateWords(run).isOpen);
}

/** Runs that there were; drafts are not counted. */
async function RunsCount({ cluster }: { cluster: Slug }) {
  const answer = await host()
    .runs(cluster)
    .catch(() => null);
  if (!answer?.ok) return null;
  const { length } = answer.value.runs;
  return <Count count={length} of={length === 1 ? 'run' : 'runs'} />;
}

function Count({ count, of }: { count: number; of: string }) {
  return count === 0 ? null : <span title={`${count} ${of}`}>{count}</span>;
}
