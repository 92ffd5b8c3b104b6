import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { LookWhenRead } from '#components/wizard/look-when-read.tsx';

/** While the cluster is read for the first time: the page as it will be. */
export function ReadyWaiting({ name }: { name: string }) {
  const what = 'Reading the cluster';
  return (
    <>
      <PageHead
        title={`Looking at ${name}`}
        sub="Reading the cluster, checking what was read, making the plan. Nothing is written."
      />
      <LookWhenRead />
      <div className="flex flex-col gap-4">
        <Panel title="The plan">
          <Skeleton label={what} widths={['w-full', 'w-1/2']} />
        </Panel>
        <Panel title="Found">
          <Skeleton label={what} widths={['w-1/3', 'w-2/3', 'w-1/2']} />
          <Skeleton label={what} widths={['w-1/2', 'w-1/3', 'w-2/3']} />
        </Panel>
      </div>
    </>
  );
}
