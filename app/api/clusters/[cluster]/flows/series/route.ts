import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** Allowed and denied flows over the time of the query `q`, from the history. */
export const GET = withSession<{ cluster: string }>(async (request, { cluster }) => {
  const series = await host().flowSeries(cluster, new URL(request.url).searchParams.get('q') ?? '');
  if (!series.ok) return refusal(409, series.code, series.message);
  return Response.json(series.value, { headers: { 'Cache-Control': 'no-store' } });
});
