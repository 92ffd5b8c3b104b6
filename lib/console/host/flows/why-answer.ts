import { parseQuery } from '#lib/flows/in-browser.ts';
import type { Query } from '#lib/flows/index.ts';
import type { WhyAnswer } from '#lib/usecases/why/index.ts';
import type { WhyAsked } from '../../host.ts';
import { Refused } from '../refused.ts';
import { type SeenBy, seenFlows } from './seen-flows.ts';

const patienceMs = 20_000;
const defaultAgo = 15 * 60;

/** Why one pod reaches another or not. Throws Refused if the question cannot be parsed. */
export async function whyAnswer(by: SeenBy, { from, to, query }: WhyAsked): Promise<WhyAnswer> {
  // Loaded with the first question: it brings the flow client.
  const { answerWhy, readWhyQuestion } = await import('#lib/usecases/why/index.ts');
  const question = readWhyQuestion(from.trim(), to.trim());
  if (typeof question === 'string') throw new Refused('flows.question', `${question}.`);
  const signal = AbortSignal.timeout(patienceMs);
  const { since, until } = parseQuery(query).query;
  const time = { since: since ?? (until === null ? { ago: defaultAgo } : null), until };
  const seen = {
    of: (terms: Query['terms']) => seenFlows(by, { ...time, terms }, signal),
    words: since === null && until === null ? 'the last 15 minutes' : 'the time that is asked for',
  };
  return answerWhy(by.kube, question, seen, signal);
}
