import { eventStreamResponse } from '#app/api/event-stream.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** The stream of a run's page. */
export const GET = withSession<{ cluster: string; run: string }>((request, { cluster, run }) =>
  eventStreamResponse(host().runEvents(cluster, run, request.headers.get('last-event-id'), request.signal)),
);
