import { parseQuery } from '#lib/flows/in-browser.ts';
import type { RunMemory } from '#lib/run/index.ts';
import type { keptTraffic } from '#lib/usecases/index.ts';
import type { flowHistories, Live } from '../../streams/index.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';
import type { DraftStore } from '../drafts/draft-store.ts';
import { answering } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import type { AskedHost } from '../shown-host.ts';
import { flowChanges } from './flow-changes.ts';
import { askHistory } from './history-of.ts';
import { hintSources, queryHints } from './query-hints.ts';
import { chosenSuggestion, suggested } from './suggested.ts';
import { whyAnswer } from './why-answer.ts';

/** Number of flows in one answer of the history. */
export const mostFlows = 10_000;

/** What pages ask of flows: live ones, the history, and what follows from it. */
export function flowAnswers({
  clusters,
  histories,
  live,
  drafts,
  runTraffic,
  memory,
  log,
}: {
  clusters: OpenClusters;
  histories: ReturnType<typeof flowHistories>;
  live: Live;
  drafts: DraftStore;
  runTraffic: ReturnType<typeof keptTraffic>;
  memory: RunMemory;
  log: HostLog;
}): Pick<
  AskedHost,
  'flows' | 'flowSeries' | 'keptFlows' | 'flowChanges' | 'flowHints' | 'suggestPolicy' | 'planSuggested' | 'why'
> {
  const sources = hintSources();
  return {
    flows: (cluster) => answering(log, `flows ${cluster}`, () => live.flowsView(cluster)),
    flowSeries: (cluster, query) =>
      answering(log, `flow history ${cluster}`, () =>
        askHistory(histories, cluster, async (history) => ({
          ...(await history.series(parseQuery(query).query)),
          ...history.state(),
        })),
      ),
    keptFlows: (cluster, query, most) =>
      answering(log, `kept flows ${cluster}`, () =>
        askHistory(histories, cluster, async (history) => {
          const { query: parsed } = parseQuery(query);
          const [found, spans] = await Promise.all([history.list(parsed, Math.min(most, mostFlows)), history.spans()]);
          return {
            ...found,
            since: spans[0]?.since ?? null,
            until: spans.at(-1)?.until ?? null,
            ...history.state(),
          };
        }),
      ),
    flowChanges: (cluster, request) =>
      answering(log, `flow changes ${cluster}`, () =>
        clusters.using(cluster, (used) => flowChanges({ used, cluster, histories, runTraffic, memory }, request)),
      ),
    flowHints: (cluster, query, signal) =>
      answering(log, `flow hints ${cluster}`, () =>
        clusters.using(cluster, ({ kube }) => queryHints({ kube, cluster, histories, log, sources }, query, signal)),
      ),
    suggestPolicy: (cluster, request) =>
      answering(log, `suggest a policy in ${cluster}`, () =>
        clusters.using(cluster, ({ kube }) => suggested({ kube, cluster, histories, log }, request)),
      ),
    planSuggested: (cluster, request, shownHash) =>
      answering(log, `plan a suggested policy in ${cluster}`, async () => {
        const chosen = await clusters.using(cluster, ({ kube }) =>
          chosenSuggestion({ kube, cluster, histories, log }, request, shownHash),
        );
        return drafts.create(cluster, 'policy', 'accepted', chosen);
      }),
    why: (cluster, request) =>
      answering(log, `why in ${cluster}`, () =>
        clusters.using(cluster, ({ kube }) => whyAnswer({ kube, cluster, histories, log }, request)),
      ),
  };
}
