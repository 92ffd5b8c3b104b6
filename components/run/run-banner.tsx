import { ago, span } from '#components/ui/ago.ts';
import { Notice } from '#components/ui/notice.tsx';
import type { Connection, RunView } from '#lib/console/wire.ts';
import { hasEndedView } from './has-ended.ts';

/** Who is away: this browser's network, the console, or the cluster. Three sentences, and each says what becomes of the run. */
export function RunBanner({ connection, view, nowMs }: { connection: Connection; view: RunView; nowMs: number }) {
  const goesOn = hasEndedView(view.state) ? '' : ' The run goes on on the server; this page catches up.';
  if (connection.kind === 'stopped')
    return (
      <Notice state="bad" title={connection.problem.message}>
        This page shows the run as it was then.{goesOn.replace(' this page catches up.', '')}
      </Notice>
    );
  if (connection.kind === 'reconnecting') {
    const inSeconds = Math.max(0, (connection.at - nowMs) / 1000);
    return connection.offline ? (
      <Notice state="warn" title="This browser has no network">
        What is shown is from before.{goesOn}
      </Notice>
    ) : (
      <Notice state="warn" title="The console does not answer">
        Asked again in {span(inSeconds)} (attempt {connection.attempt}).{goesOn}
      </Notice>
    );
  }
  if (view.stale)
    return (
      <Notice state="warn" title="The cluster's API server does not answer">
        {view.stale.message} Last seen {ago(Date.parse(view.stale.since), nowMs)}. The run is kept and goes on when it
        answers again.
      </Notice>
    );
  return null;
}
