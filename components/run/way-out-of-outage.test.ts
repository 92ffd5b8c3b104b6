import { expect, test } from 'vitest';
import { wayOutOfOutage } from './way-out-of-outage.ts';

const done = { kind: 'done' } as const;
const failed = { kind: 'failed', because: 'x', seq: 3 } as never;
const stopped = { kind: 'stopped', remains: [] } as never;
const paused = { kind: 'paused' } as never;

test.each([
  ['no run', null, true, 'restore', null],
  ['no run, nothing to restore', null, false, null, null],
  ['a run that has not ended', { goal: 'install', state: paused, isOpen: true }, true, 'open-run', null],
  ['enabled, kube-proxy can be restored', { goal: 'enable', state: done, isOpen: false }, true, 'restore', null],
  ['enabled, nothing to restore', { goal: 'enable', state: done, isOpen: false }, false, 'take-back', null],
  ['enabled half-way', { goal: 'enable', state: failed, isOpen: false }, true, 'take-back', 'restore'],
  ['enabled half-way, ended by hand', { goal: 'enable', state: stopped, isOpen: false }, false, 'take-back', null],
  ['installed', { goal: 'install', state: done, isOpen: false }, false, null, null],
  ['installed half-way', { goal: 'install', state: failed, isOpen: false }, true, 'restore', null],
  ['restored', { goal: 'restore', state: done, isOpen: false }, false, null, null],
  ['restored half-way', { goal: 'restore', state: stopped, isOpen: false }, true, 'restore', null],
  ['upgraded', { goal: 'upgrade', state: done, isOpen: false }, false, null, null],
  ['upgraded half-way', { goal: 'upgrade', state: failed, isOpen: false }, false, null, null],
] as const)('%s', (_what, run, canRestore, first, second) => {
  expect(wayOutOfOutage(run, canRestore)).toEqual({ first, second });
});
