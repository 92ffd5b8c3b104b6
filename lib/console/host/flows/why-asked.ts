import { parseQuery } from '#lib/flows/in-browser.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { WhyAnswer } from '#lib/usecases/why/index.ts';
import type { Slug, WhyAsked } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import { Refused } from '../refused.ts';

const mostFlows = 2_000;
const patienceMs = 20_000;
const defaultAgo = 15 * 60;

/**
 * Why one pod reaches another or not, from the history of this console where it has one, else from the aggregator. Throws Refused where the question is
 * none.
 */
export async function whyAsked(
  { kube, cluster, histories }: { kube: Kube; cluster: Slug; histories: Pick<FlowHistories, 'kept'> },
  { from, to, query }: WhyAsked,
): Promise<WhyAnswer> {
  // What asks flow logs is loaded with the first question.
  const [{ answerWhy, readWhyQuestion }, { listFlows }] = await Promise.all([
    import('#lib/usecases/why/index.ts'),
    import('#lib/flows/index.ts'),
  ]);
  const question = readWhyQuestion(from.trim(), to.trim());
  if (typeof question === 'string') throw new Refused('flows.question', `${question}.`);
  const signal = AbortSignal.timeout(patienceMs);
  const { since, until } = parseQuery(query).query;
  const time = { since: since ?? (until === null ? { ago: defaultAgo } : null), until };
  // Flows that nobody kept are asked of the aggregator; why no history opens is told where the history is shown.
  const history = await histories.kept(cluster).catch(() => null);
  const seen = {
    of: async (terms: Parameters<typeof listFlows>[1]['terms']) =>
      history === null
        ? listFlows(kube, { ...time, terms }, signal)
        : (await history.list({ ...time, terms }, mostFlows)).flows,
    words: since === null && until === null ? 'the last 15 minutes' : 'the time that is asked for',
  };
  return answerWhy(kube, question, seen, signal);
}
