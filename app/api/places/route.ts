import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { placesOfCluster, placesOfConsole } from '#components/palette/places.ts';
import { host } from '#lib/console/host.ts';
import { referenceTopics } from '#lib/reference/index.ts';

const kept = { headers: { 'Cache-Control': 'no-store' } };

/** The palette's entries: of the console, or with `?cluster=SLUG` of one cluster. */
export const GET = withSession(async (request) => {
  const wanted = new URL(request.url).searchParams.get('cluster');
  const clusters = await host().clusters();
  if (wanted === null) return Response.json(placesOfConsole(clusters, referenceTopics), kept);
  const entry = clusters.find(({ slug }) => slug === wanted);
  if (entry === undefined) return refusal(404, 'cluster.not-found', 'There is no cluster of that name.');
  const [assessed, runs, drafts] =
    entry.problem === null
      ? await Promise.all([host().findings(wanted, 'kept'), host().runs(wanted), host().drafts(wanted)])
      : [null, null, await host().drafts(wanted)];
  const places = placesOfCluster({
    entry,
    assessed: assessed?.ok ? assessed.value : null,
    runs: runs?.ok ? runs.value.runs : null,
    drafts,
  });
  return Response.json(places, kept);
});
