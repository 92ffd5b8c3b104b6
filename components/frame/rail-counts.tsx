import { host, type Slug } from '#lib/console/host.ts';
import { findingsInState, openCounts } from '#lib/console/wizard/index.ts';

/** How many findings want something of the reader. Nothing while that is not known: a nought would say that all is fine. */
export async function FindingsCount({ cluster }: { cluster: Slug }) {
  const answer = await host()
    .findings(cluster, 'kept')
    .catch(() => null);
  if (!answer?.ok) return null;
  const { blocking, toDecide } = openCounts(findingsInState(answer.value.findings));
  const open = blocking + toDecide;
  return <Count count={open} of={open === 1 ? 'finding' : 'findings'} />;
}

/** Runs that there were; drafts are not counted. */
export async function RunsCount({ cluster }: { cluster: Slug }) {
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
