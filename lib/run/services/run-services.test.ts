import { beforeEach, expect, test } from 'vitest';
import { instantClock, type Kube, type ServiceReading, type WatchedServices } from '#lib/kube/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import type { Call, JournalState } from '../engine/decision.ts';
import type { RunEvents } from '../engine/run-events.ts';
import type { Journal } from '../model/journal.ts';
import { stepsOf } from '../model/steps.ts';
import { RunServices } from './run-services.ts';
import { noServices, type ServicesWatched, withReadings } from './services.ts';

const { signal } = new AbortController();
const clock = instantClock();
const plan = aPlan({}, { watchServices: true });
const state = { plan, journal: { entries: [], accepted: [] } as unknown as Journal } satisfies JournalState;
const steps = stepsOf(plan, state.journal, 'forward');
const step = steps.find(({ effect }) => effect === 'traffic');
const verify = steps.find(({ done }) => done.kind === 'services-answer');
if (step === undefined || verify === undefined) throw new Error('This plan touches no traffic.');

let reporting: string[];
let openMs: number;
let calls: string[];
let logLines: string[];

beforeEach(() => {
  [reporting, openMs, calls, logLines] = [['a', 'b'], 0, [], []];
});

const reading = (node: string): ServiceReading => ({
  node,
  at: clock.now(),
  spanMs: 1_000,
  gaps: [],
  kinds: {
    api: { tried: 20, answered: 20, late: 0, none: 0, openMs: 0 },
    'node-port': { tried: 20, answered: 20 - Math.sign(openMs), late: 0, none: 0, openMs },
  },
});

const watched: WatchedServices = {
  watch: async () => {
    calls.push('begun');
    return {
      intervalMs: 50,
      nodes: ['a', 'b'],
      of: 2,
      read: async () => reporting.map(reading),
      faults: () => new Map([['b', 'its pod does not start: no such image']]),
      end: async () => {
        calls.push('gone');
        return null;
      },
    };
  },
  sweep: async () => {
    calls.push('swept');
  },
};

function services(before: ServicesWatched | null = null): RunServices {
  const events = { log: (line: string) => logLines.push(line), services: () => {} } as unknown as RunEvents;
  return new RunServices({ kube: { services: watched } as Kube, clock, events, signal }, before);
}

const noRequest = async () => null;
const takes = async (work: () => Promise<unknown>) => {
  const began = clock.monotonic();
  await work();
  return clock.monotonic() - began;
};

test('a node that tells nothing is waited for once, before an act, and named', async () => {
  reporting = ['a'];
  const own = services();
  expect(await takes(() => own.before(step, state, { to: 'wait', listen: noRequest }))).toBe(0);
  expect(await takes(() => own.before(step, state, { to: 'act', listen: noRequest }))).toBe(30_000);
  expect(await takes(() => own.before(step, state, { to: 'act', listen: noRequest }))).toBe(0);
  expect(logLines.at(-1)).toBe(
    '1 of 2 nodes sends no report about its Services; the run continues without it. b: its pod does not start: no such image.',
  );
});

test('what somebody asks ends the wait', async () => {
  reporting = [];
  const pause: Call = { kind: 'asked', action: 'pause' };
  const own = services();
  let looks = 0;
  const listen = async () => (++looks > 3 ? pause : null);
  expect(await takes(async () => expect(await own.before(step, state, { to: 'act', listen })).toBe(pause))).toBe(3_000);
});

test('what another process has heard is not heard yet', async () => {
  const before = withReadings(
    noServices(0, { intervalMs: 50, of: 2, nodes: ['a', 'b'] }),
    ['a', 'b'].map(reading),
    clock.now(),
  );
  reporting = ['a'];
  const own = services(before);
  expect(await takes(() => own.before(step, state, { to: 'act', listen: noRequest }))).toBe(30_000);
});

test('the last look waits for nodes to tell, also where another process has begun it', async () => {
  const own = services();
  await own.before(verify, state, { to: 'wait', listen: noRequest });
  expect(own.current()?.nodes.every(({ kinds }) => kinds.length > 0)).toBe(true);
});

test('what was not measured before anything was changed is no loss', async () => {
  const own = services();
  reporting = [];
  let looks = 0;
  const listen = async () => {
    if (++looks > 4) reporting = ['a', 'b'];
    return null;
  };
  await own.before(step, state, { to: 'act', listen });
  expect(own.current()?.nodes.flatMap(({ kinds }) => kinds.map(({ unmeasuredMs }) => unmeasuredMs))).toEqual([
    0, 0, 0, 0,
  ]);
});

test('a NodePort that stays silent pauses nothing', async () => {
  const own = services();
  await own.before(step, state, { to: 'act', listen: noRequest });
  await clock.sleep(1_000);
  openMs = 60_000;
  await own.look('now');
  expect(own.current()?.nodes[0]?.kinds.map(({ openMs: ms }) => ms)).toEqual([0, 60_000]);
  expect(own.tooLong()).toBeNull();
});

test("the end takes away what this process has made, and nothing of another's", async () => {
  await services().end();
  expect(calls).toEqual([]);
  const own = services();
  await own.before(step, state, { to: 'act', listen: noRequest });
  await own.end();
  expect(calls).toEqual(['begun', 'gone']);
});
