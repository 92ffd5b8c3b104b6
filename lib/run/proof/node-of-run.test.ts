import { expect, test } from 'vitest';
import type { Verdict } from '#lib/node-state/index.ts';
import { nodeOfRun } from './node-of-run.ts';

const aVerdict = (differs: Partial<Verdict>): Verdict => ({
  plane: 'unknown',
  because: 'as seen',
  seen: null,
  awaits: null,
  evidence: [],
  ...differs,
});
const fresh = (plane: 'bpf' | 'standard') => ({ plane, seen: { plane, sinceChange: true } });
const stale = (plane: 'bpf' | 'standard') => ({ plane, seen: { plane, sinceChange: false } });

test.each<[string, Partial<Verdict>, 'bpf' | 'standard', string, string | null]>([
  ['seen there since the change', fresh('bpf'), 'bpf', 'proven', 'bpf'],
  ['the same on the way back', fresh('standard'), 'standard', 'proven', 'standard'],
  ['seen there before the change', stale('bpf'), 'bpf', 'unknown', null],
  [
    'seen there before the change, and time to say so again',
    { ...stale('bpf'), awaits: 'word' },
    'bpf',
    'waiting',
    'bpf',
  ],
  [
    'on the way back it has to start again',
    { ...stale('standard'), awaits: 'restart' },
    'standard',
    'restarting',
    'standard',
  ],
  ['seen elsewhere', fresh('standard'), 'bpf', 'waiting', 'standard'],
  ['configured elsewhere is no doubt', { plane: 'standard' }, 'bpf', 'waiting', 'standard'],
  ['configured there is no proof', { plane: 'standard' }, 'standard', 'unknown', null],
  ['its agent is away', { awaits: 'agent' }, 'bpf', 'waiting', null],
  ['its agent has said nothing yet', { plane: 'moving', awaits: 'word' }, 'bpf', 'waiting', null],
  ['fell back', { plane: 'fell-back' }, 'bpf', 'refused', 'standard'],
  ['fell back before the change', { plane: 'fell-back', awaits: 'restart' }, 'bpf', 'restarting', 'standard'],
  ['nothing tells', {}, 'bpf', 'unknown', null],
  ['not counted', { plane: 'not-counted' }, 'bpf', 'not-counted', null],
])('%s', (_, verdict, toward, state, dataplane) => {
  expect(nodeOfRun('w', aVerdict(verdict), toward)).toMatchObject({ name: 'w', state, dataplane });
});
