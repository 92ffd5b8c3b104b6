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

/** The rail's content on a cluster's pages. Counts are streamed later. */
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

/** The number of outages, or of blocking findings, or of open ones. Nothing while unknown, because 0 would mean that all is fine. */
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

/** Whether a run is in progress, which makes some checks fail by itself. */
async function hasOpenRun(cluster: Slug): Promise<boolean> {
  const answer = await host()
    .runs(cluster)
    .catch(() => null);
  return answer?.ok === true && answer.value.runs.some((run) => runStateWords(run).isOpen);
}

/** The number of runs, without drafts. */
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
