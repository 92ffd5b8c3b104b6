import { expect, test } from 'vitest';
import { partsOfStep } from './parts-of-step.ts';

test.each<[string, string, (string | null)[][]]>([
  ['no command', 'Or remove it.', [['Or remove it.', null]]],
  [
    'a command that ends each sentence',
    'Upgrade it. Move the pods before: `kubectl drain w --ignore-daemonsets`. Afterwards: `kubectl uncordon w`.',
    [
      ['Upgrade it. Move the pods before:', 'kubectl drain w --ignore-daemonsets'],
      ['Afterwards:', 'kubectl uncordon w'],
    ],
  ],
  [
    'a sentence after the command',
    'Put it there: `kubectl apply -f x.yaml`. Then wait.',
    [
      ['Put it there:', 'kubectl apply -f x.yaml'],
      ['Then wait.', null],
    ],
  ],
  ['a command inside a sentence', 'Run `kubectl get nodes` first.', [['Run `kubectl get nodes` first.', null]]],
  ['a field', 'Set this to false: `spec.bpfEnabled`.', [['Set this to false: `spec.bpfEnabled`.', null]]],
  [
    'a command that is not introduced',
    'See the file that is written by `kubectl get x`.',
    [['See the file that is written by `kubectl get x`.', null]],
  ],
])('%s', (_what, step, expected) => {
  expect(partsOfStep(step).map(({ text, command }) => [text, command])).toEqual(expected);
});
