import { expect, test } from 'vitest';
import { consoleSocket } from '#lib/console/instance/testing/console-socket.ts';
import { type Flow, parseQuery, type Query } from '#lib/flows/index.ts';
import { aFlowWithId } from '#lib/flows/testing/a-flow.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore } from '#lib/kube/index.ts';
import { askedFlows } from './kept-flows.ts';

type Answer = Awaited<ReturnType<Parameters<typeof consoleSocket>[0]['flowsFor']>>;

const now = 1_800_000_000;
const day = 86_400;

/** The questions that reached the console and the aggregator, and the messages on stderr, where they answer so. */
async function outcomeOf(text: string, answer: Answer, live: readonly Flow[] | Error) {
  const env = { XDG_STATE_HOME: testFolder('kept-flows') };
  const ofConsole: unknown[] = [];
  const ofAggregator: Query[] = [];
  const never = () => Promise.reject(new Error('It is not asked here.'));
  const socket = await consoleSocket(
    {
      carryPlan: never,
      serveSandbox: never,
      trafficFor: never,
      flowsFor: async (...given) => {
        ofConsole.push(given);
        return answer;
      },
    },
    await stateFolder(env),
  );
  const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'one' } };
  const reachedBy = { kubeconfig: null, context: 'default' };
  const store = createStore({ name: 'default', source: 'sandbox' });
  const kube = { ...store, source: 'live' as const, reachedBy, get: async () => kubeSystem };
  const messages: string[] = [];
  const terminal = { err: (line: string) => messages.push(line) };
  const given = { env, terminal } as unknown as Parameters<typeof askedFlows>[0];
  const cluster = { kube } as unknown as Parameters<typeof askedFlows>[1];
  const ask = async (query: Query) => {
    ofAggregator.push(query);
    if (live instanceof Error) throw live;
    return live;
  };
  try {
    const found = await askedFlows(given, cluster, parseQuery(text).query, ask, now).catch(String);
    return { found, ofConsole, ofAggregator, messages };
  } finally {
    socket.close();
  }
}

const at = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
const historyWith = (flows: readonly Flow[], until: number): Answer => ({
  ok: true,
  flows: [...flows],
  isCut: false,
  since: now - 7 * day,
  until,
  note: null,
});
const refused = { ok: false as const, code: 'flows.other-cluster', message: 'Another cluster.' };

test('the console is told which cluster is meant, and one that means another leaves the hour of the aggregator', async () => {
  const live = [aFlowWithId({ start: now - 60 })];
  const { found, ofConsole, messages } = await outcomeOf('since:2h', refused, live);
  expect(found).toEqual({ flows: live, isCut: false });
  expect(ofConsole).toEqual([
    [{ kind: 'kubeconfig', name: 'default' }, `since:${at(now - 7200)} until:${at(now - 60)}`, 'one'],
  ]);
  expect(messages).toEqual(['Calico keeps an hour of flows, and this is all of it: Another cluster.']);
});

test('the hour that runs is the aggregator\u2019s, also where the history ended days ago, and nothing is told twice', async () => {
  const live = [aFlowWithId({ start: now - 60 }), aFlowWithId({ start: now - 3000 })];
  const old = aFlowWithId({ start: now - 3 * day });
  const { found, ofConsole, ofAggregator, messages } = await outcomeOf(
    'since:4d',
    historyWith([old], now - 2 * day),
    live,
  );
  expect(found).toEqual({ flows: [...live, old], isCut: false });
  expect(ofAggregator).toMatchObject([{ since: { ago: 3600 } }]);
  expect(ofConsole).toMatchObject([[{}, `since:${at(now - 4 * day)} until:${at(now - 3000)}`, 'one']]);
  expect(messages).toEqual([
    `Flows older than one hour are from the history of the console, which begins at ${at(now - 7 * day)} and ends at ${at(now - 2 * day)}: what was not recorded since is missing.`,
  ]);
});

test('time that is over is asked of the history alone, and an hour of the aggregator alone', async () => {
  const old = aFlowWithId({ start: now - 3 * day });
  const over = await outcomeOf('since:4d until:2d', historyWith([old], now), []);
  expect([over.found, over.ofAggregator]).toEqual([{ flows: [old], isCut: false }, []]);
  const hour = await outcomeOf('since:50m', historyWith([old], now), []);
  expect([hour.found, hour.ofConsole]).toEqual([{ flows: [], isCut: false }, []]);
});

test('where the aggregator does not answer the history has what it recorded; where neither does, the aggregator says why', async () => {
  const old = aFlowWithId({ start: now - 3 * day });
  const notRunning = new Error('The aggregator does not run.');
  const { found, messages } = await outcomeOf('since:4d', historyWith([old], now), notRunning);
  expect(found).toEqual({ flows: [old], isCut: false });
  expect(messages.at(-1)).toContain('The aggregator does not run.');
  expect((await outcomeOf('since:4d', refused, notRunning)).found).toBe('Error: The aggregator does not run.');
});
