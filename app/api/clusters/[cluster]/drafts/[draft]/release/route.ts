import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** How far the files of the release are, while they are on their way. Starts nothing. */
export const GET = withSession<{ cluster: string; draft: string }>(async (_request, { cluster, draft }) => {
  const standing = await host().release(cluster, draft);
  if (!standing.ok) return refusal(409, standing.code, standing.message);
  return Response.json(standing.value, { headers: { 'Cache-Control': 'no-store' } });
});
