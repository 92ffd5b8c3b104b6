import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';
import { fitting } from '#lib/flows/in-browser.ts';
import { visibleData } from '#lib/text/index.ts';

/** Most flows, as in a page's stream. */
const most = 2_000;
const mostCharacters = 4_000_000;

/** Flows of the history for the query `q`, newest first, each aggregated over the whole time; texts are escaped for pages. */
export const GET = withSession<{ cluster: string }>(async (request, { cluster }) => {
  const kept = await host().keptFlows(cluster, new URL(request.url).searchParams.get('q') ?? '', most);
  if (!kept.ok) return refusal(409, kept.code, kept.message);
  const flows = fitting(kept.value.flows, mostCharacters);
  return Response.json(
    { ...kept.value, flows: visibleData(flows), isCut: kept.value.isCut || flows.length < kept.value.flows.length },
    { headers: { 'Cache-Control': 'no-store' } },
  );
});
