import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Pairs that talked before the run `run` (default: the newest) and are denied or silent in the time of the query `q`. */
export const GET = withSession<{ cluster: string }>(async (request, { cluster }) => {
  const asked = new URL(request.url).searchParams;
  const answer = await host().flowChanges(cluster, { run: asked.get('run') || null, query: asked.get('q') ?? '' });
  if (!answer.ok) return refusal(409, answer.code, answer.message);
  return Response.json(answer.value, { headers: { 'Cache-Control': 'no-store' } });
});
