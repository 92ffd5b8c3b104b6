import { download } from '#app/api/download.ts';
import { refusal } from '#app/api/refusal.ts';
import { withSession } from '#app/api/with-session.ts';
import { host } from '#lib/console/host.ts';

/** The report of a run as a file: Markdown to read, `?format=json` for machines, `?format=gitops`: its end state, to commit. */
export const GET = withSession<{ cluster: string; run: string }>(async (request, { cluster, run }) => {
  const found = await host().reportFiles(cluster, run);
  if (!found.ok) return refusal(404, found.code, found.message);
  const format = new URL(request.url).searchParams.get('format');
  const { endState } = found.value;
  if (format === 'gitops')
    return endState.text === null
      ? refusal(409, 'report.no-end-state', endState.because)
      : download(`signalbox-run-${run}.yaml`, 'application/yaml', endState.text);
  return format === 'json'
    ? download(`signalbox-run-${run}.json`, 'application/json', found.value.json)
    : download(`signalbox-run-${run}.md`, 'text/markdown', found.value.markdown);
});
