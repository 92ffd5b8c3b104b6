import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AConsole, aConsole } from './testing/a-console.ts';
import { aPage } from './testing/a-page.ts';
import { type Cable, cableTo, type PassedStream } from './testing/cable.ts';
import { connectionErrors } from './testing/faults.ts';
import { mouse } from './testing/hands.ts';
import { answerWizard, openCluster, runSays, startRun } from './testing/journey.ts';
import { sessionOf } from './testing/open-page.ts';

let console: AConsole;
let cable: Cable;

beforeAll(async () => {
  console = await aConsole();
  cable = await cableTo(console);
});

afterAll(async () => {
  cable?.close();
  await console?.close();
});

test('a stream that is cut again and again: the page gets every event once, and shows the same end as one that was never cut', async () => {
  const { page, faults } = await aPage(console, { through: cable });
  faults.allow(connectionErrors);
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse);
  await startRun(page, mouse, 'standard');
  const stream = `/api${new URL(page.url()).pathname}/events`;
  const whole = new AbortController();
  const uncut = idsOf(stream, whole.signal);

  let cuts = 0;
  const scissors = setInterval(() => {
    cuts += cable.cutStreams();
  }, 1500);
  await runSays(page, /^Done/);
  clearInterval(scissors);
  expect(cuts).toBeGreaterThan(2);
  await page.waitForTimeout(1000);
  whole.abort();

  const streams = cable.passed.filter(({ path }) => path === stream);
  const begun = streams.map(({ after }) => after ?? Number.NaN);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  // Each stream continues right after the last event that the page had; only a snapshot may have any id.
  for (const { after, events } of streams) expect(gapsIn(after ?? Number.NaN, events)).toEqual([]);
  // Events that were in transit when the connection was cut are lost and sent again. The page had received exactly those that it does not request again.
  const ids = streams.flatMap(({ events }, index) => {
    const hadUntil = begun[index + 1] ?? Number.POSITIVE_INFINITY;
    return events.flatMap(({ event, id }) => (event === 'snapshot' || id === null || id > hadUntil ? [] : [id]));
  });
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  const { snapshot, events } = await uncut;
  // The page began at what it was made with, the other reader at a snapshot of its own; from the later of the two on they must agree.
  const from = Math.max(snapshot, (ids[0] ?? 0) - 1);
  expect(events.filter((id) => id > from).length).toBeGreaterThan(20);
  expect(ids.filter((id) => id > from)).toEqual(events.filter((id) => id > from));

  const log = () =>
    page
      .getByRole('list', { name: /What happened/ })
      .getByRole('listitem')
      .allInnerTexts();
  const shown = await log();
  await page.reload();
  await runSays(page, /^Done/);
  await expect.poll(log).toEqual(shown);
});

/** Events of a stream that do not come right behind the one before. */
function gapsIn(after: number, events: PassedStream['events']): string[] {
  let last = after;
  return events.flatMap(({ event, id }) => {
    if (id === null) return [];
    const isNext = event === 'snapshot' || id === last + 1;
    const gap = isNext ? [] : [`${id} after ${last}`];
    last = id;
    return gap;
  });
}

/** A reader of its own, straight at the console and never cut: the id of its snapshot and of each event after it, until `signal` aborts. */
async function idsOf(path: string, signal: AbortSignal): Promise<{ snapshot: number; events: number[] }> {
  const { name, value } = await sessionOf(console);
  const { host } = new URL(console.url);
  const headers = { Host: host, Cookie: `${name}=${value}`, Origin: console.url, Accept: 'text/event-stream' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: console.port, path, headers, signal }, resolve).on('error', reject);
  });
  if (answer.statusCode !== 200) throw new Error(`no stream: ${answer.statusCode}`);
  let text = '';
  try {
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const found = [...text.matchAll(/^event: (.+)\nid: (\d+)$/gm)].map(([, event, id]) => ({ event, id: Number(id) }));
  return {
    snapshot: found.find(({ event }) => event === 'snapshot')?.id ?? 0,
    events: found.filter(({ event }) => event !== 'snapshot').map(({ id }) => id),
  };
}
