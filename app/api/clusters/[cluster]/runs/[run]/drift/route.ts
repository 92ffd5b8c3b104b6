import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Differences between what a run wrote and the cluster now. Changes nothing. */
export const GET = withSession<{ cluster: string; run: string }>(async (_request, { cluster, run }) => {
  const drift = await host().drift(cluster, run);
  if (!drift.ok) return refusal(drift.code.endsWith('not-found') ? 404 : 409, drift.code, drift.message);
  return Response.json(drift.value, { headers: { 'Cache-Control': 'no-store' } });
});
