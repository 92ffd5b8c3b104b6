import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, systemClock } from '#lib/kube/index.ts';
import { askConsole } from '../../ask-console.ts';
import { consoleSocket } from '../../instance/testing/console-socket.ts';
import { readEvents } from '../../streams/testing/sse-reader.ts';
import { aConsole, closeConsoles } from '../testing/a-console.ts';

afterEach(closeConsoles);

/** Of somebody who waits for what is asked. */
const waits = new AbortController().signal;

async function on(name: string) {
  const made = await aConsole();
  const { host } = made;
  return { made, host, slug: (await host.clusters()).find((one) => one.name === name)?.slug ?? '' };
}

test('a page has the newest flows at once, and follows them', async () => {
  const { host, slug } = await on('flow-logs');
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { data } of readEvents(host.flowEvents(slug, null, stop.signal))) {
    // On a busy machine a heartbeat may come before the first of them.
    if (!data.includes('"event":"heartbeat"')) seen.push(data);
    if (data.includes('"verdict":"denied"')) break;
  }
  stop.abort();
  expect(JSON.parse(seen[0] ?? '')).toMatchObject({ event: 'snapshot' });
  const answer = await host.flows(slug);
  expect(answer).toMatchObject({ ok: true, value: { stale: null, gaps: [] } });
  const flows = answer.ok ? answer.value.flows : [];
  expect(flows.some(({ to }) => to.namespace === 'payments')).toBe(true);
  // Pages must never get the key pair of the connection.
  expect(JSON.stringify(answer) + seen.join('')).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE/);
});

test('why is answered by flows, of pods that are gone too, and what is no question is said', async () => {
  const { host, slug } = await on('flow-logs');
  const why = (from: string, to: string) => host.why(slug, { from, to, query: '' });
  expect(await why(' shop/checkout', 'payments/ledger-db:5432')).toMatchObject({
    ok: true,
    value: { answeredBy: 'flows', verdict: 'denied', to: 'payments/ledger-db' },
  });
  expect(await why('shop/nobody', 'payments/ledger-db:5432')).toMatchObject({
    ok: true,
    value: {
      answeredBy: 'nobody',
      because: expect.stringContaining('Flow logs show no flow between them in the last 15 minutes.'),
    },
  });
  expect(await why('shop/checkout', 'payments/ledger-db')).toMatchObject({
    ok: false,
    code: 'flows.question',
    message: '"payments/ledger-db" names no port; write NAMESPACE/POD:PORT or NAMESPACE/POD:PORT/udp.',
  });
});

test('a policy is suggested as YAML to review, and why there is none is said', async () => {
  const { host, slug } = await on('flow-logs');
  const suggest = (workload: string) => host.suggestPolicy(slug, { workload, query: '' });
  const answer = await suggest('payments/ledger-db');
  expect(answer).toMatchObject({
    ok: true,
    value: { kind: 'StagedNetworkPolicy', name: 'ledger-db-seen', namespace: 'payments' },
  });
  expect(answer.ok && answer.value.yaml).toMatch(/^# Suggested from [0-9,]+ flows: what was allowed in them\./);
  expect(await suggest('shop/nobody')).toMatchObject({
    code: 'flows.no-suggestion',
    message: 'No flows of shop/nobody were seen: there is nothing to allow.',
  });
  expect(await suggest('nobody')).toMatchObject({ code: 'flows.question' });
});

test('the plan of a suggested policy is made of the one that was shown, with its remarks, or of none', async () => {
  const { host, slug } = await on('flow-logs');
  const request = { workload: 'payments/ledger-db', query: '' };
  const shown = await host.suggestPolicy(slug, request);
  if (!shown.ok) throw new Error(shown.message);
  const { hash, yaml } = shown.value;
  const planned = await host.planSuggested(slug, request, hash);
  if (!planned.ok) throw new Error(planned.message);
  const { policy, policyRemarks = [] } = planned.value.answers;
  expect(policy?.metadata).toEqual({ name: 'ledger-db-seen', namespace: 'payments' });
  expect(policyRemarks.length).toBeGreaterThan(0);
  for (const remark of policyRemarks) expect(yaml).toContain(`# ${remark}\n`);

  const [first = '0', ...rest] = hash;
  const another = [first === '0' ? '1' : '0', ...rest].join('');
  expect(await host.planSuggested(slug, request, another)).toMatchObject({
    ok: false,
    code: 'flows.suggestion-changed',
    message: expect.stringContaining('Suggest again'),
  });
});

test('a query is completed with what the aggregator names, and once a history is there with what it has counted', async () => {
  const { host, slug } = await on('flow-logs');
  const words = async () => {
    const answer = await host.flowHints(slug, 'since:1h', waits);
    return answer.ok ? answer.value : {};
  };
  // Names and namespaces that only the aggregator knows; the history has not counted them.
  expect((await words()).to).toEqual(expect.arrayContaining([{ word: 'to:payments/', flows: 0 }]));
  const stop = new AbortController();
  for await (const { data } of readEvents(host.flowEvents(slug, null, stop.signal)))
    if (data.includes('"verdict":"denied"')) break;
  stop.abort();
  await expect
    .poll(async () => (await words()).to?.find(({ word }) => word === 'to:payments/ledger-db')?.flows)
    .toBeGreaterThan(0);
  expect((await words()).policy?.map(({ word }) => word)).toContain('policy:default/payments/ledger-db');
});

test('a cluster without flow logs completes nothing, and says no fault', async () => {
  const { host, slug } = await on('standard');
  expect(await host.flowHints(slug, '', waits)).toEqual({ ok: true, value: {} });
});

test('where flow logs are not enabled the page is told so, and what to do', async () => {
  const { host, slug } = await on('standard');
  expect(await host.flows(slug)).toMatchObject({
    ok: false,
    code: 'flows.not-enabled',
    message: expect.stringContaining('restarts calico-node'),
  });
});

test('what was followed is kept, for the page and for the command line of this machine', async () => {
  const { made, host, slug } = await on('flow-logs');
  const socket = await consoleSocket(made, made.state);
  const ask = (query: string) =>
    askConsole(made.state, { ask: 'flows', cluster: { kind: 'sandbox', name: 'flow-logs' }, query });
  expect(await ask('since:2h')).toMatchObject({ ok: true, flows: [], since: null });
  const stop = new AbortController();
  for await (const { data } of readEvents(host.flowEvents(slug, null, stop.signal)))
    if (data.includes('"verdict":"denied"')) break;
  stop.abort();
  await expect
    .poll(async () => await ask('since:2h verdict:denied'))
    .toMatchObject({
      ok: true,
      isCut: false,
      note: null,
      since: expect.any(Number),
      flows: expect.arrayContaining([expect.objectContaining({ verdict: 'denied' })]),
    });
  const series = await host.flowSeries(slug, 'verdict:denied since:5m');
  expect(series).toMatchObject({ ok: true, value: { isRecording: true, note: null, stepSeconds: 15 } });
  // A denied flow may have been seen an hour ago.
  const long = await host.flowSeries(slug, 'verdict:denied since:2h');
  const steps = long.ok ? long.value.steps : [];
  expect(steps.some((step) => step !== null && step.denied > 0 && step.allowed === 0)).toBe(true);
  expect(await ask('from:nobody since:2h')).toMatchObject({ ok: true, flows: [] });
  socket.close();
});

test('switched off, nothing is kept, and who asks is told so', async () => {
  const { host } = await aConsole({ flowHistory: null });
  const slug = (await host.clusters()).find((one) => one.name === 'flow-logs')?.slug ?? '';
  expect(await host.flows(slug)).toMatchObject({ ok: true });
  expect(await host.flowSeries(slug, '')).toMatchObject({
    ok: false,
    code: 'flows.no-history',
    message: expect.stringContaining('--flow-history off'),
  });
});

const config = `{apiVersion: v1, kind: Config, current-context: default, clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}],
  users: [{name: u, user: {token: t}}], contexts: [{name: default, context: {cluster: c, user: u}}]}`;

test.each([
  ['of the same cluster', 'one', { ok: true, flows: [] }],
  ['of another cluster', 'other', { ok: false, code: 'flows.other-cluster' }],
  ['that cannot say which', null, { ok: false, code: 'flows.other-cluster' }],
])('a command line %s under the same name is told: %s', async (_who, uid, expected) => {
  const kubeconfig = join(testFolder('flows'), 'config');
  await writeFile(kubeconfig, config);
  const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'one' } };
  const kube = { ...createStore({ name: 'default', source: 'sandbox' }), get: async () => kubeSystem };
  const openLive = async () => ({ kube, clock: systemClock, close: async () => undefined });
  const { flowsFor } = await aConsole({ kubeconfig, openLive });
  expect(await flowsFor({ kind: 'kubeconfig', name: 'default' }, 'since:2h', uid)).toMatchObject(expected);
});
