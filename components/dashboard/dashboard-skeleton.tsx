import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';

/**
 * A placeholder of the dashboard's shape while the cluster is read, as far down as the components: how many those are is not known yet, and what would stand
 * below them would jump.
 */
export function DashboardSkeleton({ name }: { name: string }) {
  return (
    <>
      <PageHead title={<span className="break-all">{name}</span>} sub="Asking the cluster…" />
      <div className="flex flex-col gap-4" aria-busy="true">
        <Panel title="Data plane">
          <div
            className="flex h-[206px] flex-col justify-around px-4 py-6"
            role="status"
            aria-label="Reading the nodes"
          >
            <span className="block h-2 animate-pulse rounded bg-line" />
            <span className="block h-2 animate-pulse rounded bg-line" />
          </div>
          <div className="border-t border-line">
            <Skeleton label="Reading the cluster" widths={['w-1/2']} />
          </div>
        </Panel>
        <Panel title="Components">
          <Skeleton label="Reading the components" widths={['w-2/3', 'w-1/2', 'w-1/3']} />
        </Panel>
      </div>
    </>
  );
}
