import { expect, test } from 'vitest';
import { createStore, type Kube } from '#lib/kube/index.ts';
import { keptHints } from './kept-hints.ts';

const aCluster = () => createStore({ name: 'lab', source: 'sandbox' });
const hintsOf = (name: string) => ({
  sourceName: [name],
  destName: [],
  sourceNamespace: [],
  destNamespace: [],
  policyTier: [],
  policyName: [],
});
const waits = new AbortController().signal;

/** An aggregator that answers when it is let, and what it was asked. */
function anAggregator() {
  const questions: { signal: AbortSignal; answer(name: string): void; fail(): void }[] = [];
  let now = 0;
  const hints = keptHints(
    (_kube: Kube, _question, signal) =>
      new Promise<ReturnType<typeof hintsOf>>((resolve, reject) => {
        questions.push({ signal, answer: (name) => resolve(hintsOf(name)), fail: () => reject(new Error('away')) });
      }),
    60_000,
    () => now,
  );
  const names = (kube: Kube, signal: AbortSignal) => hints(kube, '', signal);
  const later = (ms: number) => {
    now += ms;
  };
  return { questions, names, later };
}

test('names are requested once for all readers of a cluster, and again after a minute', async () => {
  const { questions, names, later } = anAggregator();
  const [one, other] = [aCluster(), aCluster()];
  const answers = [names(one, waits), names(one, waits), names(other, waits)];
  expect(questions).toHaveLength(2);
  // However long it takes: nobody asks beside one that has not answered.
  later(120_000);
  answers.push(names(one, waits));
  questions[0]?.answer('a');
  questions[1]?.answer('b');
  expect((await Promise.all(answers)).map(({ sourceName }) => sourceName)).toEqual([['a'], ['a'], ['b'], ['a']]);
  later(59_999);
  expect(await names(one, waits)).toEqual(hintsOf('a'));
  expect(questions).toHaveLength(2);
  later(1);
  const again = names(one, waits);
  questions[2]?.answer('c');
  expect(await again).toEqual(hintsOf('c'));
});

test('a reader that leaves stops waiting, and the request ends with the last reader', async () => {
  const { questions, names } = anAggregator();
  const cluster = aCluster();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [names(cluster, first.signal), names(cluster, second.signal)];
  first.abort(new Error('typed on'));
  await expect(answers[0]).rejects.toThrow('typed on');
  expect(questions[0]?.signal.aborted).toBe(false);
  second.abort(new Error('gone'));
  await expect(answers[1]).rejects.toThrow('gone');
  expect(questions[0]?.signal.aborted).toBe(true);
  // What comes of it all the same is nobody's answer.
  questions[0]?.answer('late');
  await expect(names(cluster, first.signal)).rejects.toThrow('typed on');
  expect(questions).toHaveLength(1);
  const next = names(cluster, waits);
  questions[1]?.answer('new');
  expect(await next).toEqual(hintsOf('new'));
  // Answered, it is kept, however many have left since.
  expect(await names(cluster, waits)).toEqual(hintsOf('new'));
});

test('an aggregator that did not answer is asked again, but not for ten seconds', async () => {
  const { questions, names, later } = anAggregator();
  const cluster = aCluster();
  const answers = [names(cluster, waits), names(cluster, waits)];
  questions[0]?.fail();
  for (const answer of answers) await expect(answer).rejects.toThrow('away');
  const failure = await names(cluster, waits).catch((error: unknown) => error);
  later(9_999);
  await expect(names(cluster, waits)).rejects.toBe(failure);
  expect(questions).toHaveLength(1);
  later(1);
  const again = names(cluster, waits);
  questions[1]?.answer('back');
  expect(await again).toEqual(hintsOf('back'));
});

test('each question is kept for itself, and of many the last eight', async () => {
  const questions: string[] = [];
  const hints = keptHints(
    async (_source, question) => questions.push(question),
    60_000,
    () => 0,
  );
  const source = {};
  for (let turn = 0; turn < 2; turn++)
    for (let hours = 1; hours <= 8; hours++) expect(await hints(source, `since:${hours}h`, waits)).toBe(hours);
  await hints(source, 'since:9h', waits);
  await hints(source, 'since:8h', waits);
  expect(questions).toHaveLength(9);
  await hints(source, 'since:1h', waits);
  expect(questions).toHaveLength(10);
});
