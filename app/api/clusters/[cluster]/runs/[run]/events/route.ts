import { eventStreamResponse } from '#app/api/event-stream.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** What the page of one run follows. */
export const GET = withSession<{ cluster: string; run: string }>((request, { cluster, run }) =>
  eventStreamResponse(host().runEvents(cluster, run, request.headers.get('last-event-id'), request.signal)),
);
