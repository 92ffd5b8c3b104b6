import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Calico's workloads with the release of each, read from the cluster now. Changes nothing. */
export const GET = withSession<{ cluster: string }>(async (_request, { cluster }) => {
  const workloads = await host().workloads(cluster);
  if (!workloads.ok)
    return refusal(workloads.code.endsWith('not-found') ? 404 : 409, workloads.code, workloads.message);
  return Response.json(workloads.value, { headers: { 'Cache-Control': 'no-store' } });
});
