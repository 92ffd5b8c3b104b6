import { afterEach, expect, test } from 'vitest';
import { aConsole, closeConsoles } from '../testing/a-console.ts';
import { okValue, startOn, until, untilDetails } from '../testing/a-page.ts';
import { trafficAfter } from './record-traffic.ts';

afterEach(closeConsoles);

test('where flow logs are on, a run has its traffic recorded although nobody looks at it', async () => {
  const { host } = await aConsole();
  const slug = (await host.clusters()).find(({ name }) => name === 'flow-logs')?.slug ?? '';
  expect(okValue(await host.keptFlows(slug, '', 1)).flows).toEqual([]);
  const run = await startOn(host, slug);
  await until('flows are recorded', async () => okValue(await host.keptFlows(slug, 'since:2d', 1)).flows.length > 0);
  expect(await host.trafficSince(slug, run)).toMatchObject({ ok: true });
  expect(await host.flowChanges(slug, { run: null, query: 'since:5m' })).toMatchObject({
    ok: true,
    value: { run, runs: [{ run, goal: 'enable' }] },
  });
  expect(await host.flowChanges(slug, { run: 'nobodys', query: '' })).toMatchObject({ code: 'run.not-found' });
});

test('a run that the next console carries on has its traffic recorded too', async () => {
  const first = await aConsole();
  const slug = (await first.host.clusters()).find(({ name }) => name === 'flow-logs')?.slug ?? '';
  const run = await startOn(first.host, slug);
  await untilDetails('a step is finished', first.host, slug, run, ({ report }) =>
    report.operations.some(({ state }) => state === 'finished'),
  );
  await first.end();
  const second = await aConsole({ state: first.state });
  expect(okValue(await second.host.keptFlows(slug, 'since:2d', 1)).flows).toEqual([]);
  await second.recover();
  await until(
    'flows are recorded',
    async () => okValue(await second.host.keptFlows(slug, 'since:2d', 1)).flows.length > 0,
  );
});

test('what flows said of a run is kept when they have been told, and not where the console ends before', async () => {
  const done: string[] = [];
  const over = Promise.withResolvers<void>();
  const doing = (what: string) => async () => void done.push(what);
  const steps = { ended: over.promise, record: doing('record'), keep: doing('keep') };
  const recording = trafficAfter({ ...steps, wait: async (ms) => void done.push(`${ms / 1000} s`) });
  await Promise.resolve();
  expect(done).toEqual([]);
  over.resolve();
  await recording;
  expect(done).toEqual(['180 s', 'record', '15 s', 'keep']);
  done.length = 0;
  await expect(trafficAfter({ ...steps, wait: () => Promise.reject(new Error('ending')) })).rejects.toThrow('ending');
  expect(done).toEqual([]);
});
