import { download } from '#app/api/download.ts';
import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** The reviewed plan as a shell script of kubectl lines. */
export const GET = withSession<{ cluster: string; draft: string }>(async (_request, { cluster, draft }) => {
  const reviewed = await host().review(cluster, draft, 'kept');
  if (!reviewed.ok) return refusal(409, reviewed.code, reviewed.message);
  const { plan, shell } = reviewed.value;
  return download(`plan-${plan.goal}-${plan.cluster}.sh`, 'text/x-shellscript', shell);
});
