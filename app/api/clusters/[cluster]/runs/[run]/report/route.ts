import { download } from '#app/api/download.ts';
import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';
import { reportAsMarkdown } from '#lib/run/index.ts';

/** The report of a run as a file: Markdown to read, `?format=json` for machines. */
export const GET = withSession<{ cluster: string; run: string }>(async (request, { cluster, run }) => {
  const found = await host().report(cluster, run);
  if (!found.ok) return refusal(404, found.code, found.message);
  const report = found.value;
  return new URL(request.url).searchParams.get('format') === 'json'
    ? download(`signalbox-run-${run}.json`, 'application/json', `${JSON.stringify(report, null, 2)}\n`)
    : download(`signalbox-run-${run}.md`, 'text/markdown', reportAsMarkdown(report));
});
