import { expect, test } from 'vitest';
import type { Fault } from '../conditions/rollout.ts';
import { LastingFaults } from './lasting-faults.ts';

const subject = { kind: 'Node', namespace: null, name: 'worker-1', detail: 'crashes' };
const crash = (attempts: number): Fault => ({
  key: 'uid/calico-node/pod.crashes',
  code: 'pod.crashes',
  container: 'calico-node',
  attempts,
  subject,
});
const pull: Fault = { ...crash(0), key: 'uid/calico-node/pod.image', code: 'pod.image', attempts: null };

/** What is seen at each second; `-` is a look that finds nothing. */
function lookedAt(looks: readonly (readonly [number, Fault | '-'])[]) {
  const faults = new LastingFaults();
  return looks.map(([second, fault]) => faults.among(fault === '-' ? [] : [fault], second * 1000)).at(-1);
}

test.each([
  [
    'a crash that is repeated for a minute',
    [
      [0, crash(1)],
      [10, '-'],
      [30, crash(2)],
      [60, crash(3)],
    ],
    60,
  ],
  [
    'a crash of less than a minute',
    [
      [0, crash(1)],
      [59, crash(3)],
    ],
    null,
  ],
  [
    'a crash that was not repeated while we looked',
    [
      [0, crash(7)],
      [120, crash(7)],
    ],
    null,
  ],
  [
    'a first restart',
    [
      [0, crash(0)],
      [70, crash(1)],
    ],
    null,
  ],
  [
    'a crash that came up in between',
    [
      [0, crash(1)],
      [30, crash(2)],
      [125, crash(3)],
    ],
    null,
  ],
  [
    'a crash that is not seen now',
    [
      [0, crash(1)],
      [60, '-'],
    ],
    null,
  ],
  [
    'an image that cannot be pulled for a minute',
    [
      [0, pull],
      [61, pull],
    ],
    61,
  ],
  [
    'an image that cannot be pulled yet',
    [
      [0, pull],
      [40, pull],
    ],
    null,
  ],
] as const)('%s', (_words, looks, seconds) => {
  expect(lookedAt(looks)?.seconds ?? null).toBe(seconds);
});
