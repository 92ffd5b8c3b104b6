import { Notice } from '#components/ui/notice.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ClusterView } from '#lib/console/wire.ts';

/** The API server is away: what is below was true then, and says so. */
export function StaleNotice({ stale: { since, message } }: { stale: NonNullable<ClusterView['stale']> }) {
  return (
    <Notice
      state="unknown"
      title={
        <>
          The API server has not answered since <time dateTime={since}>{since.slice(11, 19)} UTC</time> (
          <RelativeTime at={since} />)
        </>
      }
    >
      <p className="break-words">{message}</p>
      <p>What is below is as of then. It is asked again by itself, and a run carries on when it answers.</p>
    </Notice>
  );
}
