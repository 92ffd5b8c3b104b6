import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Why `from` reaches `to` or not, in the time of the query `q`. Both are as typed. */
export const GET = withSession<{ cluster: string }>(async (request, { cluster }) => {
  const asked = new URL(request.url).searchParams;
  const [from = '', to = '', query = ''] = ['from', 'to', 'q'].map((name) => asked.get(name) ?? '');
  const answer = await host().why(cluster, { from, to, query });
  if (!answer.ok) return refusal(409, answer.code, answer.message);
  return Response.json(answer.value, { headers: { 'Cache-Control': 'no-store' } });
});
