import { runsPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { Failure } from '#lib/console/host.ts';

/** Shown if the draft does not exist any more or cannot be read. */
export function DraftGone({ cluster, failure }: { cluster: string; failure: Failure }) {
  return (
    <Panel>
      <Empty
        title="This draft does not exist"
        actions={<ButtonLink href={runsPath(cluster)}>Runs of this cluster</ButtonLink>}
      >
        <p>{failure.message}</p>
      </Empty>
    </Panel>
  );
}
