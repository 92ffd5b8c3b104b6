import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** A policy that allows the flows of the workload `of` in the time of the query `q`, as YAML to review. */
export const GET = withSession<{ cluster: string }>(async (request, { cluster }) => {
  const asked = new URL(request.url).searchParams;
  const answer = await host().suggestPolicy(cluster, { workload: asked.get('of') ?? '', query: asked.get('q') ?? '' });
  if (!answer.ok) return refusal(409, answer.code, answer.message);
  return Response.json(answer.value, { headers: { 'Cache-Control': 'no-store' } });
});
