import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { reportAsMarkdown } from '#lib/run/index.ts';
import { aCluster, type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import { canary, rawCharacters } from '#lib/text/testing/canaries.ts';
import { infested } from '#lib/text/testing/infested.ts';
import type { Draft } from '../host.ts';
import { readEvents } from '../streams/testing/sse-reader.ts';
import { clusterSlug } from './clusters/cluster-slug.ts';
import { type AConsole, aConsole, closeConsoles } from './testing/a-console.ts';
import { enableOn, okValue, until } from './testing/a-page.ts';

/** Every answer and every stream of the console's process, on a cluster whose texts are hostile: pages must be able to show what they get as it is. */

let cluster: OpenSandbox;
let console: AConsole;
let draft: Draft;
let run: string;
const slug = clusterSlug('kubeconfig', 'hostile');

beforeAll(async () => {
  const objects = [...aCluster({}), aStatus].map((object) => infested(object, 'free text'));
  cluster = await openSandbox('standard', { speed: 'instant', operator: 'v3.31.4', objects });
  const kubeconfig = join(testFolder('strangers-text'), 'config');
  await writeFile(kubeconfig, config);
  const openLive = async () => ({ kube: cluster.kube, clock: cluster.clock, close: async () => {} });
  console = await aConsole({ kubeconfig, openLive });
  const { host } = console;
  const first = (await enableOn(host, slug)).draft;
  const reasons = ['proxy.comes-back'].map((id) => [id, canary(`reason-${id}`)] as const);
  draft = okValue(
    await host.answer(slug, first.id, first.revision, 'compatibility', {
      acknowledge: Object.fromEntries(reasons),
      fix: first.answers.fix.filter((id) => !reasons.some(([reasoned]) => reasoned === id)),
    }),
  );
  const { plan } = okValue(await host.review(slug, draft.id, 'kept'));
  const request = { revision: draft.revision, planHash: plan.hash, confirmation: plan.cluster };
  run = okValue(await host.start(slug, draft.id, request)).run;
  await until('the run has got somewhere', async () => {
    const { state, happenings } = okValue(await host.report(slug, run));
    return state.kind !== 'running' || happenings.length > 0;
  });
});

afterAll(async () => {
  await closeConsoles();
  await cluster.close();
});

const questions: readonly (readonly [name: string, ask: () => Promise<unknown>])[] = [
  ['clusters', () => console.host.clusters()],
  ['reach', () => console.host.reach(slug)],
  ['view', () => console.host.view(slug)],
  ['findings', () => console.host.findings(slug, 'again')],
  ['workloads', () => console.host.workloads(slug)],
  ['who changed what', () => console.host.lastChanges(slug)],
  ['flows', () => console.host.flows(slug)],
  ['why', () => console.host.why(slug, { from: `shop/${canary('pod')}`, to: 'shop/b:1', query: '' })],
  ['a policy that is suggested', () => console.host.suggestPolicy(slug, { workload: canary('of'), query: '' })],
  ['a cluster that is not there', () => console.host.view(canary('slug'))],
  ['a draft that is not there', () => console.host.draft(slug, canary('draft'))],
  ['review', () => console.host.review(slug, draft.id, 'kept')],
  ['runs, but for drafts', async () => ({ ...okValue(await console.host.runs(slug)), drafts: [] })],
  ['run', () => console.host.run(slug, run)],
  ['report', () => console.host.report(slug, run)],
  ['a step from inside', () => console.host.insideStep(slug, run, 4)],
  ['drift', () => console.host.drift(slug, run)],
  ['undo', () => console.host.undoSteps(slug, run)],
  [
    'a start that is refused',
    () => console.host.start(slug, draft.id, { revision: 1, planHash: canary('hash'), confirmation: canary('name') }),
  ],
  [
    'a request that is refused',
    () => console.host.ask(slug, run, { action: 'undo', revision: 1, confirmation: canary('name') }),
  ],
];

test.each(questions)('%s', async (_name, ask) => {
  expect(rawIn(await ask())).toEqual([]);
});

test('the hostile texts do arrive: as they are shown', async () => {
  const texts = JSON.stringify([await console.host.view(slug), await console.host.review(slug, draft.id, 'kept')]);
  expect(texts).toContain('c4n4ry-status.conditions.message');
  expect(texts).toContain('c4n4ry-reason');
  expect(texts).toContain('\\\\u202egnp.exe');
});

test.each([
  ['the cluster', (signal: AbortSignal) => console.host.clusterEvents(slug, null, signal)],
  ['the run', (signal: AbortSignal) => console.host.runEvents(slug, run, null, signal)],
  ['a cluster that is not there', (signal: AbortSignal) => console.host.clusterEvents(canary('slug'), null, signal)],
])('the stream of %s', async (_name, open) => {
  const stop = new AbortController();
  for await (const { data } of readEvents(open(stop.signal))) {
    expect(rawCharacters(data)).toEqual([]);
    expect(rawIn(JSON.parse(data))).toEqual([]);
    break;
  }
  stop.abort();
});

test('files are the data themselves, and hold nothing raw', async () => {
  const plan = okValue(await console.host.planFiles(slug, draft.id));
  const report = okValue(await console.host.reportFiles(slug, run));
  for (const text of [plan.json, plan.shell, report.json, report.markdown]) expect(rawCharacters(text)).toEqual([]);
  expect(JSON.stringify(JSON.parse(plan.json))).toContain('\u202egnp.exe');
  expect(report.markdown).not.toMatch(/<(?!br>)|(?<!\\)\]\(http|(?<!\\):\/\//);
  expect(report.markdown).not.toMatch(/^signalbox: forged/m);
});

test('a report whose every text is hostile is Markdown of ours alone', async () => {
  const answer = JSON.parse(okValue(await console.host.reportFiles(slug, run)).json);
  const markdown = reportAsMarkdown(infested(answer, 'everywhere'));
  expect(rawCharacters(markdown)).toEqual([]);
  expect(markdown).not.toMatch(/<|(?<!\\)\]\(|(?<!\\):\/\/|^signalbox: forged/m);
});

/** Strange characters in any text or key: pages show both. */
function rawIn(data: unknown): string[] {
  if (typeof data === 'string') return rawCharacters(data);
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [...rawCharacters(key), ...rawIn(value)]);
}

/** A status that the sandbox's operator does not overwrite. */
const aStatus = {
  apiVersion: 'operator.tigera.io/v1',
  kind: 'TigeraStatus',
  metadata: { name: 'whisper' },
  status: {
    conditions: [{ type: 'Available', status: 'True', reason: 'AllObjectsAvailable', message: 'As it says:' }],
  },
};

const config = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'hostile',
  contexts: ['hostile', canary('context')].map((name) => ({ name, context: { cluster: name, user: 'u' } })),
  clusters: ['hostile', canary('context')].map((name) => ({
    name,
    cluster: { server: name === 'hostile' ? 'https://127.0.0.1:1' : `https://${canary('server')}:6443` },
  })),
  users: [{ name: 'u', user: {} }],
});
