import { describe, expect, test } from 'vitest';
import { alarmOf, deadMs, type LinkEvent, type LinkState, nextLink, quietMs } from './link-state.ts';

const now = 1_000_000;
const most = () => 1;
const next = (state: LinkState, event: LinkEvent, random = most) => nextLink(state, event, now, random);

const idle: LinkState = { kind: 'idle', why: 'nobody' };
const hidden: LinkState = { kind: 'idle', why: 'hidden' };
const connecting: LinkState = { kind: 'connecting', since: now - 5, attempt: 0 };
const live: LinkState = { kind: 'live', heardAt: now - 5 };
const lagging: LinkState = { kind: 'lagging', heardAt: now - quietMs };
const waiting: LinkState = { kind: 'waiting', attempt: 3, at: now + 4_000, offline: false };
const problem = { code: 'session.missing', message: 'Your session has ended.' };
const stopped: LinkState = { kind: 'stopped', problem };

test.each<{ words: string; from: LinkState; event: LinkEvent; to: LinkState }>([
  {
    words: 'somebody looks',
    from: idle,
    event: { kind: 'wanted' },
    to: { kind: 'connecting', since: now, attempt: 0 },
  },
  { words: 'bytes come', from: connecting, event: { kind: 'heard' }, to: { kind: 'live', heardAt: now } },
  {
    words: 'nothing comes for a while',
    from: live,
    event: { kind: 'alarm' },
    to: { kind: 'lagging', heardAt: now - 5 },
  },
  { words: 'and then something does', from: lagging, event: { kind: 'heard' }, to: { kind: 'live', heardAt: now } },
  {
    words: 'nothing comes for 25 s: it is dead',
    from: lagging,
    event: { kind: 'alarm' },
    to: { kind: 'waiting', attempt: 1, at: now + 1_000, offline: false },
  },
  {
    words: 'the connection is lost while the browser has no network',
    from: live,
    event: { kind: 'failed', offline: true },
    to: { kind: 'waiting', attempt: 1, at: now + 1_000, offline: true },
  },
  {
    words: 'the time to ask again has come',
    from: waiting,
    event: { kind: 'alarm' },
    to: { kind: 'connecting', since: now, attempt: 3 },
  },
  {
    words: 'the browser has its network again: at once',
    from: waiting,
    event: { kind: 'online' },
    to: { kind: 'connecting', since: now, attempt: 3 },
  },
  {
    words: 'the page is looked at again: at once',
    from: waiting,
    event: { kind: 'shown' },
    to: { kind: 'connecting', since: now, attempt: 3 },
  },
  { words: 'a hidden page gives its connection back', from: live, event: { kind: 'hidden' }, to: hidden },
  {
    words: 'and takes one when it is shown',
    from: hidden,
    event: { kind: 'shown' },
    to: { kind: 'connecting', since: now, attempt: 0 },
  },
  { words: 'nobody looks any more', from: waiting, event: { kind: 'unwanted' }, to: idle },
  { words: 'the console refuses', from: connecting, event: { kind: 'refused', problem }, to: stopped },
])('$words', ({ from, event, to }) => {
  expect(next(from, event)).toEqual(to);
});

describe('what changes nothing', () => {
  test.each<[string, LinkState, LinkEvent]>([
    ['a late failure of a connection that was given up', waiting, { kind: 'failed', offline: false }],
    ['bytes while waiting', waiting, { kind: 'heard' }],
    ['a hidden page that nobody looks at', idle, { kind: 'hidden' }],
    ['the network coming back while live', live, { kind: 'online' }],
    ['anything once it was refused', stopped, { kind: 'shown' }],
    ['anything once it was refused', stopped, { kind: 'wanted' }],
    ['anything once it was refused', stopped, { kind: 'unwanted' }],
  ])('%s', (_, state, event) => {
    expect(next(state, event)).toBe(state);
  });
});

test('the back-off doubles from 1 s to 30 s, with full jitter, and begins anew once anything came', () => {
  const waits: number[] = [];
  let state: LinkState = connecting;
  for (let tries = 0; tries < 8; tries++) {
    state = next(state, { kind: 'failed', offline: false });
    waits.push((alarmOf(state) ?? 0) - now);
    expect(alarmOf(next(connecting, { kind: 'failed', offline: false }, () => 0))).toBe(now);
    state = next(state, { kind: 'alarm' });
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  const again = next(next(state, { kind: 'heard' }), { kind: 'failed', offline: false });
  expect(again).toMatchObject({ attempt: 1 });
});

test.each<[LinkState, number | null]>([
  [connecting, now - 5 + deadMs],
  [live, now - 5 + quietMs],
  [lagging, now - quietMs + deadMs],
  [waiting, now + 4_000],
  [idle, null],
  [stopped, null],
])('%o rings at %s', (state, at) => {
  expect(alarmOf(state)).toBe(at);
});
