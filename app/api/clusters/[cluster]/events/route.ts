import { eventStreamResponse } from '#app/api/event-stream.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** The stream of a cluster's dashboard. */
export const GET = withSession<{ cluster: string }>((request, { cluster }) =>
  eventStreamResponse(host().clusterEvents(cluster, request.headers.get('last-event-id'), request.signal)),
);
