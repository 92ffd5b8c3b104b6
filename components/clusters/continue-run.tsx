import { runPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import { runStateWords } from '../dashboard/run-state-words.ts';

/** Shown once the cluster has answered that a run has not ended: that comes before anything else. */
export async function ContinueRun({ cluster }: { cluster: Slug }) {
  const reach = await host()
    .reach(cluster)
    .catch(() => null);
  if (reach?.kind !== 'reachable' || reach.run === null || !runStateWords(reach.run).isOpen) return null;
  return (
    <ButtonLink kind="primary" href={runPath(cluster, reach.run.run)}>
      {reach.run.state.kind === 'paused' ? 'Continue run' : 'Follow the run'}
    </ButtonLink>
  );
}
