import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Progress of the release's files. Starts no download. */
export const GET = withSession<{ cluster: string; draft: string }>(async (_request, { cluster, draft }) => {
  const progress = await host().release(cluster, draft);
  if (!progress.ok) return refusal(409, progress.code, progress.message);
  return Response.json(progress.value, { headers: { 'Cache-Control': 'no-store' } });
});
