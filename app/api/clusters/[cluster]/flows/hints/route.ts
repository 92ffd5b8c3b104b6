import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Words to complete a query of flows with, by key, for the time of the query `q`. */
export const GET = withSession<{ cluster: string }>(async (request, { cluster }) => {
  const answer = await host().flowHints(cluster, new URL(request.url).searchParams.get('q') ?? '', request.signal);
  if (!answer.ok) return refusal(409, answer.code, answer.message);
  return Response.json({ hints: answer.value }, { headers: { 'Cache-Control': 'no-store' } });
});
