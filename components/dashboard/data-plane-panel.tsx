'use client';

import { useMemo } from 'react';
import { ConnectionBadge } from '#components/live/connection-badge.tsx';
import { StatusAnnouncer } from '#components/live/status-announcer.tsx';
import type { Live } from '#components/live/use-live.ts';
import { TwoTracks } from '#components/track/two-tracks.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { useNow } from '#components/ui/time/use-now.ts';
import { counted } from '#lib/base/words.ts';
import { type ClusterView, clusterSentence } from '#lib/console/wire.ts';
import { nodesWereRead } from '#lib/status/unserved.ts';
import { calicoHere } from './calico-here.ts';
import { planeStateWords } from './plane-state-words.ts';
import { servedAsSeen } from './served-as-seen.ts';

/** The two tracks with a sentence about the cluster's state. */
export function DataPlanePanel({
  live: { view, connection, pause, resume },
  renderedAt,
}: {
  live: Live<ClusterView>;
  renderedAt: number;
}) {
  const now = useNow(renderedAt);
  const { lead, rest } = clusterSentence(view, now);
  const words = useMemo(() => planeStateWords(view), [view]);
  return (
    <Panel
      title="Data plane"
      aside={
        calicoHere(view.status) === 'nothing' ? (
          <StateMark state="idle">none yet</StateMark>
        ) : (
          <StateMark state={words.state}>{words.words}</StateMark>
        )
      }
    >
      {!nodesWereRead(view) ? (
        <Empty title="The nodes could not be read">The reason is above.</Empty>
      ) : view.nodes.length === 0 ? (
        <Empty title="There is no node to draw">
          <code>GET /api/v1/nodes</code> answered with an empty list. A cluster without nodes has no data plane.
        </Empty>
      ) : calicoHere(view.status) === 'nothing' ? (
        <Empty title="No node is on a data plane of Calico">
          {counted(view.nodes.length, 'node')} will be drawn here once Calico is installed: on the standard track or on
          eBPF.
        </Empty>
      ) : (
        <div className="px-0 py-2">
          <TwoTracks nodes={view.nodes} standard={standardPlane(view)} isDown={servedAsSeen(view) === 'nobody'} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line px-4 py-2.5">
        {/* On a telephone two lines, whether or not they are needed, and the second where it is: nothing moves when one of them grows. */}
        <p className="min-w-0 flex-1 basis-80 max-sm:min-h-10">
          <b className="font-semibold max-sm:block">{lead}</b> {rest}
        </p>
        <div className="-mr-3">
          <ConnectionBadge
            connection={connection}
            stale={view.stale}
            pause={pause}
            resume={resume}
            renderedAt={renderedAt}
          />
        </div>
        <StatusAnnouncer sentence={rest === '' ? lead : `${lead} ${rest}`} failure={null} />
      </div>
    </Panel>
  );
}

/** The kind of the standard data plane; null under eBPF, because the Installation then does not name it. */
function standardPlane({ status: { installation } }: ClusterView): string | null {
  if (installation?.dataplane === 'Nftables') return 'nftables';
  if (installation?.dataplane === 'Iptables') return 'iptables';
  return null;
}
