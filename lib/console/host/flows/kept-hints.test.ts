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
  const asked: { signal: AbortSignal; answer(name: string): void; fail(): void }[] = [];
  let now = 0;
  const hints = keptHints(
    (_kube: Kube, _question, signal) =>
      new Promise<ReturnType<typeof hintsOf>>((resolve, reject) => {
        asked.push({ signal, answer: (name) => resolve(hintsOf(name)), fail: () => reject(new Error('away')) });
      }),
    60_000,
    () => now,
  );
  const names = (kube: Kube, signal: AbortSignal) => hints(kube, '', signal);
  const later = (ms: number) => {
    now += ms;
  };
  return { asked, names, later };
}

test('names are asked for once for all who want them, and again after a minute; each cluster for itself', async () => {
  const { asked, names, later } = anAggregator();
  const [one, other] = [aCluster(), aCluster()];
  const answers = [names(one, waits), names(one, waits), names(other, waits)];
  expect(asked).toHaveLength(2);
  // However long it takes: nobody asks beside one that has not answered.
  later(120_000);
  answers.push(names(one, waits));
  asked[0]?.answer('a');
  asked[1]?.answer('b');
  expect((await Promise.all(answers)).map(({ sourceName }) => sourceName)).toEqual([['a'], ['a'], ['b'], ['a']]);
  later(59_999);
  expect(await names(one, waits)).toEqual(hintsOf('a'));
  expect(asked).toHaveLength(2);
  later(1);
  const again = names(one, waits);
  asked[2]?.answer('c');
  expect(await again).toEqual(hintsOf('c'));
});

test('who leaves waits no longer, and when all have left the aggregator is asked no longer', async () => {
  const { asked, names } = anAggregator();
  const cluster = aCluster();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [names(cluster, first.signal), names(cluster, second.signal)];
  first.abort(new Error('typed on'));
  await expect(answers[0]).rejects.toThrow('typed on');
  expect(asked[0]?.signal.aborted).toBe(false);
  second.abort(new Error('gone'));
  await expect(answers[1]).rejects.toThrow('gone');
  expect(asked[0]?.signal.aborted).toBe(true);
  // What comes of it all the same is nobody's answer.
  asked[0]?.answer('late');
  await expect(names(cluster, first.signal)).rejects.toThrow('typed on');
  expect(asked).toHaveLength(1);
  const next = names(cluster, waits);
  asked[1]?.answer('new');
  expect(await next).toEqual(hintsOf('new'));
  // Answered, it is kept, however many have left since.
  expect(await names(cluster, waits)).toEqual(hintsOf('new'));
});

test('an aggregator that did not answer is asked again, but not for ten seconds', async () => {
  const { asked, names, later } = anAggregator();
  const cluster = aCluster();
  const answers = [names(cluster, waits), names(cluster, waits)];
  asked[0]?.fail();
  for (const answer of answers) await expect(answer).rejects.toThrow('away');
  const failure = await names(cluster, waits).catch((error: unknown) => error);
  later(9_999);
  await expect(names(cluster, waits)).rejects.toBe(failure);
  expect(asked).toHaveLength(1);
  later(1);
  const again = names(cluster, waits);
  asked[1]?.answer('back');
  expect(await again).toEqual(hintsOf('back'));
});

test('each question is kept for itself, and of many the last eight', async () => {
  const asked: string[] = [];
  const hints = keptHints(
    async (_source, question) => asked.push(question),
    60_000,
    () => 0,
  );
  const source = {};
  for (let turn = 0; turn < 2; turn++)
    for (let hours = 1; hours <= 8; hours++) expect(await hints(source, `since:${hours}h`, waits)).toBe(hours);
  await hints(source, 'since:9h', waits);
  await hints(source, 'since:8h', waits);
  expect(asked).toHaveLength(9);
  await hints(source, 'since:1h', waits);
  expect(asked).toHaveLength(10);
});
