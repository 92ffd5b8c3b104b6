import { eventStreamResponse } from '#app/api/event-stream.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** What the page Flows of one cluster follows. */
export const GET = withSession<{ cluster: string }>((request, { cluster }) =>
  eventStreamResponse(host().flowEvents(cluster, request.headers.get('last-event-id'), request.signal)),
);
