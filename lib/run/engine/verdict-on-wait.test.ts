import { describe, expect, test } from 'vitest';
import type { Progress } from '../conditions/progress.ts';
import { verdictOnWait } from './verdict-on-wait.ts';

const step = { title: 'Wait', act: { kind: 'wait' } as const, deadlineSeconds: 360 };
const fresh = { accepted: null, unknownSeconds: 0, waitedSeconds: 0, fault: null };
const unknown: Progress = { kind: 'unknown', because: 'Nobody can tell.', subjects: [] };
const settling: Progress = { ...unknown, settleSeconds: 60 };

describe('what is met is finished', () => {
  test('with its note', () => {
    expect(verdictOnWait({ kind: 'met', evidence: [], note: '4 of 4' }, step, fresh)).toEqual({
      kind: 'finish',
      outcome: 'met',
      note: '4 of 4',
    });
  });
});

describe('what has failed pauses at once and offers the way back first', () => {
  test('however short it was waited', () => {
    const progress: Progress = { kind: 'failed', code: 'node.refuses-bpf', because: 'No.', subjects: [] };
    expect(verdictOnWait(progress, step, fresh)).toMatchObject({
      kind: 'pause',
      code: 'node.refuses-bpf',
      choices: ['undo', 'keep-waiting', 'stop'],
    });
  });
});

describe('what is unknown', () => {
  test.each([
    ['for a moment is waited for', unknown, { ...fresh, unknownSeconds: 19 }, 'wait'],
    ['for 20 s pauses', unknown, { ...fresh, unknownSeconds: 20 }, 'pause'],
    ['and acknowledged goes on', unknown, { ...fresh, accepted: 'seen by eye' }, 'finish'],
    ['with a settle time is waited out', settling, { ...fresh, unknownSeconds: 59 }, 'wait'],
    ['with a settle time that has passed goes on, and says so', settling, { ...fresh, unknownSeconds: 60 }, 'finish'],
  ] as const)('%s', (_, progress, waited, kind) => {
    expect(verdictOnWait(progress, step, waited).kind).toBe(kind);
  });

  test('is never called met', () => {
    expect(verdictOnWait(settling, step, { ...fresh, unknownSeconds: 60 })).toMatchObject({ outcome: 'unknown' });
    expect(verdictOnWait(unknown, step, { ...fresh, accepted: 'seen' })).toMatchObject({ outcome: 'acknowledged' });
  });

  test('in a last look holds nothing up', () => {
    expect(verdictOnWait(unknown, { ...step, act: { kind: 'verify' } }, fresh)).toMatchObject({
      kind: 'finish',
      outcome: 'unknown',
    });
  });
});

test('a fault that lasts pauses before the deadline, names its subject and offers the way back first', () => {
  const subject = {
    kind: 'Node',
    namespace: null,
    name: 'worker-3',
    detail: 'calico-node-x container install-cni: CrashLoopBackOff',
  };
  const fault = { key: 'k', code: 'pod.crashes' as const, container: 'install-cni', attempts: 4, subject, seconds: 61 };
  const progress: Progress = { kind: 'waiting', awaiting: 'the rollout', heldUpBy: [subject] };
  expect(verdictOnWait(progress, step, { ...fresh, fault })).toEqual({
    kind: 'pause',
    code: 'pod.crashes',
    because:
      'Wait does not get on: Node worker-3: calico-node-x container install-cni: CrashLoopBackOff. It has been like this for 61 s, 4 attempts; waiting alone does not fix it.',
    subjects: [subject],
    choices: ['undo', 'keep-waiting', 'stop'],
  });
});

test('a deadline pauses with what is awaited and who holds it up, and undoes nothing', () => {
  const subject = { kind: 'Node', namespace: null, name: 'worker-3', detail: 'is Pending' };
  const progress: Progress = { kind: 'waiting', awaiting: 'the rollout', heldUpBy: [subject] };
  expect(verdictOnWait(progress, step, { ...fresh, waitedSeconds: 360 })).toMatchObject({ kind: 'wait' });
  expect(verdictOnWait(progress, step, { ...fresh, waitedSeconds: 361 })).toEqual({
    kind: 'pause',
    code: 'deadline',
    because: 'Wait has taken longer than 360 s. It waits for the rollout.',
    subjects: [subject],
    choices: ['keep-waiting', 'undo', 'stop'],
  });
});
