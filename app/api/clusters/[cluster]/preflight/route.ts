import { eventStreamResponse } from '#app/api/event-stream.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** What a page follows while the nodes of a cluster are tested. Starts nothing. */
export const GET = withSession<{ cluster: string }>((request, { cluster }) =>
  eventStreamResponse(host().preflightEvents(cluster, request.headers.get('last-event-id'), request.signal)),
);
