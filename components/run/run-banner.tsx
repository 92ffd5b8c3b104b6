import { Notice } from '#components/ui/notice.tsx';
import { ago } from '#components/ui/time/ago.ts';
import { duration } from '#lib/base/words.ts';
import type { Connection, RunView } from '#lib/console/wire.ts';
import { hasEnded } from '#lib/run/model/has-ended.ts';

/** Says what is unreachable (this browser's network, the console, or the cluster), and what that means for the run. */
export function RunBanner({ connection, view, nowMs }: { connection: Connection; view: RunView; nowMs: number }) {
  // If the console is unreachable, the browser cannot know whether the console still carries the run or has stopped.
  const isOver = hasEnded(view.state);
  if (connection.kind === 'stopped')
    return (
      <Notice state="bad" title={connection.problem.message}>
        This page shows the run as it was then.{isOver ? '' : ' The run continues without it.'}
      </Notice>
    );
  if (connection.kind === 'reconnecting') {
    const inSeconds = Math.max(0, (connection.at - nowMs) / 1000);
    return connection.offline ? (
      <Notice state="warn" title="This browser has no network">
        What is shown is from before.{isOver ? '' : ' The run continues on the server; this page catches up.'}
      </Notice>
    ) : (
      <Notice state="warn" title="The console does not answer">
        Asked again in {duration(inSeconds)} (attempt {connection.attempt}).
        {isOver
          ? ''
          : ' The run does not need this page: it continues on the server, or once the console is started again.'}
      </Notice>
    );
  }
  if (view.stale)
    return (
      <Notice state="warn" title="The cluster's API server does not answer">
        {view.stale.message} Last seen {ago(Date.parse(view.stale.since), nowMs)}. The run is kept and continues when it
        answers again.
      </Notice>
    );
  return null;
}
