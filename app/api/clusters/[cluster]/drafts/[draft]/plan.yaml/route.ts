import { download } from '#app/api/download.ts';
import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** The end state of the reviewed plan, for a Git repository. */
export const GET = withSession<{ cluster: string; draft: string }>(async (_request, { cluster, draft }) => {
  const files = await host().planFiles(cluster, draft);
  if (!files.ok) return refusal(409, files.code, files.message);
  return download(`${files.value.name}.yaml`, 'application/yaml', files.value.gitops);
});
