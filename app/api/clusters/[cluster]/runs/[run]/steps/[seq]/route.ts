import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** One step of a run from inside, read from the cluster now. Changes nothing. */
export const GET = withSession<{ cluster: string; run: string; seq: string }>(
  async (_request, { cluster, run, seq }) => {
    if (!/^[1-9]\d{0,3}$/.test(seq)) return refusal(404, 'run.no-step', 'A step is named by its number.');
    const inside = await host().insideStep(cluster, run, Number(seq));
    if (!inside.ok) return refusal(inside.code.endsWith('not-found') ? 404 : 409, inside.code, inside.message);
    return Response.json(inside.value, { headers: { 'Cache-Control': 'no-store' } });
  },
);
