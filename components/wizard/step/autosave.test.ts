import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notSent } from '#components/ui/call/failure-of-call.ts';
import type { KeepAnswer, SavedAnswers, Values } from '#lib/console/wizard/index.ts';
import { consoleIsAway } from '../action-failure.ts';
import { type Autosave, autosave, type Saving } from './autosave.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Server = { kept: SavedAnswers; sent: Values[]; mode: 'up' | 'down' | 'unsent' | 'session-ended' };

/** A draft of one step as the host keeps it: an answer made from another revision is refused with what is there. */
function aServer(values: Values): Server & { send(revision: number, values: Values): Promise<KeepAnswer> } {
  const server: Server = { kept: { revision: 1, values }, sent: [], mode: 'up' };
  return Object.assign(server, {
    send: async (revision: number, sent: Values): Promise<KeepAnswer> => {
      if (server.mode === 'down') throw new TypeError('fetch failed');
      if (server.mode === 'unsent') return notSent;
      if (server.mode === 'session-ended') return { ok: false, code: 'session.missing', message: 'ended' };
      server.sent.push(sent);
      if (revision !== server.kept.revision)
        return { ok: false, code: 'draft.changed', message: '', theirs: server.kept };
      server.kept = { revision: revision + 1, values: sent };
      return { ok: true, value: server.kept };
    },
  });
}

function aForm(server: ReturnType<typeof aServer>, saved: SavedAnswers = server.kept) {
  const states: Saving[] = [];
  let unsaved: unknown = null;
  const keeper: Autosave = autosave({
    saved,
    send: server.send,
    isWhole: ({ host, port }) => (host === '') === (port === ''),
    tell: (saving, now) => {
      states.push(saving);
      unsaved = now;
    },
  });
  return { keeper, last: () => states.at(-1), unsaved: () => unsaved };
}

const empty = { host: '', port: '' };
const mine = { host: 'mine', port: '6443' };
const theirs = { host: 'theirs', port: '443' };

test('typing is kept once, after a pause', async () => {
  const server = aServer(empty);
  const { keeper, last, unsaved } = aForm(server);
  keeper.typed({ host: 'm', port: '1' });
  keeper.typed(mine);
  expect(last()).toEqual({ kind: 'typed' });
  expect(unsaved()).toEqual({ base: empty, values: mine });
  await vi.advanceTimersByTimeAsync(500);
  expect(server.sent).toEqual([mine]);
  expect(last()).toEqual({ kind: 'saved' });
  expect(unsaved()).toBeNull();
});

test('what is not whole is not sent, and not forgotten', async () => {
  const server = aServer(empty);
  const { keeper, last, unsaved } = aForm(server);
  keeper.typed({ host: 'mine', port: '' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.sent).toEqual([]);
  expect(last()).toEqual({ kind: 'incomplete' });
  expect(unsaved()).toEqual({ base: empty, values: { host: 'mine', port: '' } });
});

test('what is typed while an answer is on its way is kept too', async () => {
  const server = aServer(empty);
  const { keeper } = aForm(server);
  keeper.typed(mine);
  const flushed = keeper.flush();
  keeper.typed({ ...mine, host: 'mine-2' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await flushed).toEqual({ revision: 3, values: { ...mine, host: 'mine-2' } });
  expect(server.kept.values).toEqual({ ...mine, host: 'mine-2' });
});

test("another step's answer is no conflict: this one follows it", async () => {
  const server = aServer(empty);
  const { keeper, last } = aForm(server);
  server.kept = { revision: 7, values: empty };
  keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(500);
  expect(server.kept).toEqual({ revision: 8, values: mine });
  expect(last()).toEqual({ kind: 'saved' });
});

test.each([
  ['mine', mine],
  ['theirs', theirs],
] as const)('the same step answered elsewhere is the reader’s to choose: %s', async (choice, expected) => {
  const server = aServer(empty);
  const { keeper, last } = aForm(server);
  server.kept = { revision: 2, values: theirs };
  keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(500);
  expect(last()).toEqual({ kind: 'conflict', theirs: { revision: 2, values: theirs }, mine });
  expect(await keeper.flush()).toBeNull();
  expect(server.kept.values).toEqual(theirs);
  if (choice === 'mine') keeper.takeMine();
  else expect(keeper.takeTheirs()).toEqual(theirs);
  await vi.advanceTimersByTimeAsync(500);
  expect(server.kept.values).toEqual(expected);
  expect(last()).toEqual({ kind: 'saved' });
});

test('a console that is away is asked again, and the text is there until it answers', async () => {
  const server = aServer(empty);
  const { keeper, last, unsaved } = aForm(server);
  server.mode = 'down';
  keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(500);
  expect(last()).toMatchObject({ kind: 'failed', failure: { code: 'console.away' } });
  expect(unsaved()).toEqual({ base: empty, values: mine });
  server.mode = 'up';
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.kept.values).toEqual(mine);
  expect(last()).toEqual({ kind: 'saved' });
});

test('what nobody would take up now is kept later, and nobody is told to try again', async () => {
  const server = aServer(empty);
  const { keeper, last } = aForm(server);
  server.mode = 'unsent';
  keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(500);
  expect(last()).toEqual({ kind: 'failed', failure: consoleIsAway });
  server.mode = 'up';
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.kept.values).toEqual(mine);
});

test('an ended session keeps the text and waits for the reader', async () => {
  const server = aServer(empty);
  const { keeper, last, unsaved } = aForm(server);
  server.mode = 'session-ended';
  keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(last()).toMatchObject({ kind: 'failed', failure: { code: 'session.missing' } });
  expect(unsaved()).toEqual({ base: empty, values: mine });
  server.mode = 'up';
  expect(await keeper.flush()).toEqual({ revision: 2, values: mine });
});

test('text from before a reload is kept when nothing changed under it, and asked about when something did', async () => {
  const unchanged = aServer(empty);
  const restored = aForm(unchanged, { revision: 0, values: empty });
  restored.keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(500);
  expect(unchanged.kept.values).toEqual(mine);

  const changed = aServer(theirs);
  const asked = aForm(changed, { revision: 0, values: empty });
  asked.keeper.typed(mine);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked.last()).toMatchObject({ kind: 'conflict', mine });
});

test('a fresh page replaces what nobody touched, and never what is being typed', () => {
  const server = aServer(empty);
  const { keeper } = aForm(server);
  expect(keeper.adopt({ revision: 2, values: theirs })).toEqual(theirs);
  keeper.typed(mine);
  expect(keeper.adopt({ revision: 3, values: empty })).toBeNull();
  expect(keeper.adopt({ revision: 1, values: empty })).toBeNull();
});
