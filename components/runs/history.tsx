import { ButtonLink } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { host } from '#lib/console/host.ts';
import { DraftsTable } from './drafts-table.tsx';
import { RunsTable } from './runs-table.tsx';

/** Drafts, then runs. The console stores drafts, so they are shown even if the cluster does not answer. */
export async function History({ cluster }: { cluster: string }) {
  const [answer, entries] = await Promise.all([host().runs(cluster), host().clusters()]);
  const name = entries.find(({ slug }) => slug === cluster)?.name ?? cluster;
  const drafts = answer.ok ? answer.value.drafts : await host().drafts(cluster);
  return (
    <div className="flex flex-col gap-4">
      {drafts.length > 0 && (
        <Panel title="Not started yet">
          <DraftsTable cluster={cluster} name={name} drafts={drafts} />
        </Panel>
      )}
      {!answer.ok && (
        <Notice
          state="warn"
          title="The runs of this cluster cannot be read now"
          actions={<ButtonLink href={`/clusters/${cluster}/runs`}>Try again</ButtonLink>}
        >
          {answer.message}
        </Notice>
      )}
      {answer.ok && answer.value.runs.length === 0 && (
        <Panel>
          <Empty
            title="No run yet"
            actions={
              <ButtonLink kind="primary" href={`/clusters/${cluster}`}>
                Go to the dashboard
              </ButtonLink>
            }
          >
            A run carries out a plan that was reviewed, and can be undone. Begin one on the dashboard.
          </Empty>
        </Panel>
      )}
      {answer.ok && answer.value.runs.length > 0 && (
        <Panel>
          <RunsTable cluster={cluster} name={name} runs={answer.value.runs} leaseHolder={answer.value.leaseHolder} />
        </Panel>
      )}
    </div>
  );
}
