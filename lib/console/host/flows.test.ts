import { afterEach, expect, test } from 'vitest';
import { readEvents } from '../streams/testing/sse-reader.ts';
import { aConsole, closeConsoles } from './testing/a-console.ts';

afterEach(closeConsoles);

async function on(name: string) {
  const { host } = await aConsole();
  return { host, slug: (await host.clusters()).find((one) => one.name === name)?.slug ?? '' };
}

test('a page has the newest flows at once, and follows them', async () => {
  const { host, slug } = await on('flow-logs');
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { data } of readEvents(host.flowEvents(slug, null, stop.signal))) {
    seen.push(data);
    if (data.includes('"verdict":"denied"')) break;
  }
  stop.abort();
  expect(JSON.parse(seen[0] ?? '')).toMatchObject({ event: 'snapshot' });
  const answer = await host.flows(slug);
  expect(answer).toMatchObject({ ok: true, value: { stale: null, gaps: [] } });
  const flows = answer.ok ? answer.value.flows : [];
  expect(flows.some(({ to }) => to.namespace === 'payments')).toBe(true);
  // The pair that opened the connection is nowhere in what pages get.
  expect(JSON.stringify(answer) + seen.join('')).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE/);
});

test('where flow logs are not enabled the page is told so, and what to do', async () => {
  const { host, slug } = await on('standard');
  expect(await host.flows(slug)).toMatchObject({
    ok: false,
    code: 'flows.not-enabled',
    message: expect.stringContaining('restarts calico-node'),
  });
});
