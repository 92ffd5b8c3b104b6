import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Answers } from '../../wizard/answers.ts';
import { type DraftStore, draftStore } from './draft-store.ts';

const cluster = 'standard-00000000';
const anything = async () => {};
let folder: string;
let time: number;
let logged: string[];
let store: DraftStore;

beforeEach(async () => {
  folder = testFolder('draft-store');
  time = Date.UTC(2026, 0, 1);
  logged = [];
  store = newStore();
});

function newStore(): DraftStore {
  return draftStore({ stateFolder: folder, now: () => time++, log: (line) => logged.push(line) });
}

test('answers outlive the process, in a file that only its user can read', async () => {
  const made = await store.create(cluster, 'enable');
  const answered = await store.answer(
    cluster,
    made.id,
    { revision: 1, step: 'endpoint', answers: { endpoint: { host: '10.0.0.100', port: '6443' } } },
    anything,
  );
  expect(answered).toMatchObject({ revision: 2, answered: ['endpoint'], run: null });
  expect(await newStore().read(cluster, made.id)).toEqual(answered);
  expect(await newStore().list(cluster)).toEqual([answered]);
  expect((await stat(join(folder, 'drafts', `${made.id}.json`))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'drafts'))).mode & 0o777).toBe(0o700);
});

test('of two tabs that answer from the same page, the second changes nothing', async () => {
  const { id } = await store.create(cluster, 'enable');
  const answers = await Promise.allSettled([
    store.answer(cluster, id, { revision: 1, step: 'options', answers: { dsr: true } }, anything),
    store.answer(cluster, id, { revision: 1, step: 'options', answers: { dsr: false } }, anything),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(answers[1]).toMatchObject({ reason: { code: 'draft.changed' } });
  expect((await store.read(cluster, id)).answers.dsr).toBe(true);
});

test('the same form twice is kept once and answers the same; what changes nothing conflicts with nobody', async () => {
  const { id } = await store.create(cluster, 'enable');
  const given = { revision: 1, step: 'options', answers: { dsr: true } } as const;
  const once = await store.answer(cluster, id, given, anything);
  expect(await store.answer(cluster, id, given, anything)).toEqual(once);
  const next = await store.answer(cluster, id, { revision: 2, step: 'proxy', answers: { keepProxy: true } }, anything);
  expect(await store.answer(cluster, id, given, anything)).toEqual(next);
  const back = { ...given, answers: { dsr: false } };
  await expect(store.answer(cluster, id, back, anything)).rejects.toMatchObject({ code: 'draft.changed' });
});

test('a key without a value takes an answer back; steps keep their order', async () => {
  const { id } = await store.create(cluster, 'enable');
  await store.answer(cluster, id, { revision: 1, step: 'proxy', answers: { keepProxy: true } }, anything);
  const after = await store.answer(
    cluster,
    id,
    { revision: 2, step: 'goal', answers: { keepProxy: undefined } },
    anything,
  );
  expect(after.answers).not.toHaveProperty('keepProxy');
  expect(after.answered).toEqual(['goal', 'proxy']);
});

const chosen = { endpoint: { host: '10.0.0.100', port: '6443' } };

test.each<[string, Partial<Answers>, string[]]>([
  ['another host', { endpoint: { host: '10.0.0.2', port: '6443' } }, ['node.ready']],
  ['another port', { endpoint: { host: '10.0.0.100', port: '443' } }, ['node.ready']],
  ['no address any more', { endpoint: undefined }, ['node.ready']],
  ['the operator that finds it', { automatic: true }, ['node.ready']],
  ['the same address', { ...chosen, dsr: true }, ['endpoint.stable', 'node.ready', 'operator.dns-deadlock']],
  ['something else', { dsr: true }, ['endpoint.stable', 'node.ready', 'operator.dns-deadlock']],
  [
    'another host that is accepted with it',
    { endpoint: { host: '10.0.0.2', port: '6443' }, acknowledge: { 'endpoint.stable': '10.0.0.2 stays' } },
    ['endpoint.stable'],
  ],
])('what was accepted of one address is not of another: %s', async (_what, answers, accepted) => {
  const { id } = await store.create(cluster, 'enable');
  const acknowledge = {
    'endpoint.stable': '10.0.0.100 stays',
    'operator.dns-deadlock': 'hosts',
    'node.ready': 'known',
  };
  await store.answer(cluster, id, { revision: 1, step: 'endpoint', answers: { ...chosen, acknowledge } }, anything);
  const after = await store.answer(cluster, id, { revision: 2, step: 'endpoint', answers }, anything);
  expect(Object.keys(after.answers.acknowledge).sort()).toEqual(accepted);
  expect(Object.keys(after.acceptedAt).sort()).toEqual(accepted);
});

test.each<[string, object, string]>([
  ['a field that is none', { colour: 'blue' }, ''],
  ['another type', { dsr: 'yes' }, 'dsr'],
  ['a goal that is none', { goal: 'fly' }, 'goal'],
  ['half of an endpoint', { endpoint: { host: '10.0.0.1' } }, 'endpoint.port'],
  ['an acknowledgement without a reason', { acknowledge: { 'node.ready': '' } }, 'acknowledge.node.ready'],
])('%s is refused with its field, and nothing changes', async (_what, answers, field) => {
  const made = await store.create(cluster, 'enable');
  await expect(
    store.answer(cluster, made.id, { revision: 1, step: 'options', answers }, anything),
  ).rejects.toMatchObject({
    code: 'draft.invalid',
    fields: { [field]: expect.any(String) },
  });
  expect(await store.read(cluster, made.id)).toEqual(made);
});

test('a refusing check leaves the answers as they were', async () => {
  const made = await store.create(cluster, 'enable');
  const refuse = async () => {
    throw new Error('no');
  };
  await expect(
    store.answer(cluster, made.id, { revision: 1, step: 'options', answers: { dsr: true } }, refuse),
  ).rejects.toThrow('no');
  expect(await store.read(cluster, made.id)).toEqual(made);
});

test.each(['not JSON', '{"kind":"Draft"}', ''])(
  'a broken file (%j) is set aside with its content, told, and in nobody’s way',
  async (text) => {
    const readable = await store.create(cluster, 'enable');
    const { id } = await store.create(cluster, 'enable');
    await writeFile(join(folder, 'drafts', `${id}.json`), text);
    await expect(store.read(cluster, id)).rejects.toMatchObject({ code: 'draft.broken' });
    expect(await store.list(cluster)).toEqual([readable]);
    const aside = (await readdir(join(folder, 'drafts'))).find((name) => name.includes('.broken-')) ?? '';
    expect(await readFile(join(folder, 'drafts', aside), 'utf8')).toBe(text);
    expect(logged.join()).toContain(aside);
    await expect(store.read(cluster, id)).rejects.toMatchObject({ code: 'draft.not-found' });
  },
);

test.each(['../install-id', 'draft-1', '', 'draft-00000000000g', 'draft-000000000000'])(
  'an id that is none (%j) finds nothing',
  async (id) => {
    await expect(store.read(cluster, id)).rejects.toMatchObject({ code: 'draft.not-found' });
    await expect(store.discard(cluster, id)).rejects.toMatchObject({ code: 'draft.not-found' });
  },
);

test('answers belong to their cluster', async () => {
  const { id } = await store.create(cluster, 'enable');
  await expect(store.read('other-00000000', id)).rejects.toMatchObject({ code: 'draft.not-found' });
  expect(await store.list('other-00000000')).toEqual([]);
});

test('what became a run is no open draft, and stays as it is', async () => {
  const { id } = await store.create(cluster, 'enable');
  await store.started(cluster, id, 'a-run');
  expect(await store.list(cluster)).toEqual([]);
  await expect(
    store.answer(cluster, id, { revision: 1, step: 'options', answers: { dsr: true } }, anything),
  ).rejects.toMatchObject({ code: 'draft.started' });
});

test('a name of its own is kept, changes no answer, and can be taken away', async () => {
  const { id, revision } = await store.create(cluster, 'enable');
  await store.rename(cluster, id, 'Tuesday window');
  expect(await store.read(cluster, id)).toMatchObject({ name: 'Tuesday window', revision });
  await store.rename(cluster, id, null);
  expect((await store.list(cluster))[0]?.name).toBeNull();
});

test('a discarded draft is gone', async () => {
  const { id } = await store.create(cluster, 'enable');
  await store.discard(cluster, id);
  expect(await store.list(cluster)).toEqual([]);
});

test('a month after it became a run, a draft is forgotten; what is still open never is', async () => {
  const open = await store.create(cluster, 'enable');
  const { id } = await store.create(cluster, 'enable');
  await store.started(cluster, id, 'a-run');
  time += 31 * 24 * 60 * 60_000;
  await store.create(cluster, 'enable');
  await expect(store.read(cluster, id)).rejects.toMatchObject({ code: 'draft.not-found' });
  expect(await store.read(cluster, open.id)).toEqual(open);
});

test('one that cannot be opened at all keeps the others from nothing', async () => {
  const { id } = await store.create(cluster, 'enable');
  await mkdir(join(folder, 'drafts', 'draft-00000000beef.json'));
  expect((await store.list(cluster)).map((draft) => draft.id)).toEqual([id]);
  await store.create(cluster, 'enable');
  expect(logged.some((line) => line.includes('draft-00000000beef'))).toBe(true);
});

/** Drafts of the first version with a console, which had no `starting` yet, and of 0.1.0. */
test('drafts of earlier versions are read without loss, and go on', async () => {
  const earlier = join(import.meta.dirname, 'testing/drafts-of-earlier-versions');
  const files = await readdir(earlier);
  await mkdir(join(folder, 'drafts'), { recursive: true });
  for (const file of files) await copyFile(join(earlier, file), join(folder, 'drafts', file));
  expect(files).toHaveLength(4);
  for (const file of files) {
    const stored = JSON.parse(await readFile(join(earlier, file), 'utf8'));
    const draft = await store.read(cluster, stored.id);
    const { answers, answered, revision, run } = stored;
    expect(draft).toMatchObject({ answers, answered, revision, run });
    if (run !== null) continue;
    const given = { revision, step: 'proxy', answers: { keepProxy: true } } as const;
    expect(await store.answer(cluster, stored.id, given, anything)).toMatchObject({
      revision: revision + 1,
      answers: { ...answers, keepProxy: true },
    });
  }
  expect(logged).toEqual([]);
});
