import { download } from '#app/api/download.ts';
import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** The reviewed plan as data: what `signalbox plan --output json` prints. */
export const GET = withSession<{ cluster: string; draft: string }>(async (_request, { cluster, draft }) => {
  const reviewed = await host().review(cluster, draft, 'kept');
  if (!reviewed.ok) return refusal(409, reviewed.code, reviewed.message);
  const { plan } = reviewed.value;
  return download(`plan-${plan.goal}-${plan.cluster}.json`, 'application/json', `${JSON.stringify(plan, null, 2)}\n`);
});
