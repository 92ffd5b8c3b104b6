import { expect, test } from 'vitest';
import { flagsByProgram, noFlags } from '#lib/text/index.ts';
import { commandLines } from './command-lines.ts';

const object = (name: string) =>
  `printf '%s\\n' '{"kind":"ConfigMap","metadata":{"name":"${name}"}}' | kubectl apply -f -`;

test('a file of objects is told as one line, and what stands beside it stays', () => {
  const lines = commandLines(
    [...['a', 'b', 'c'].map(object), 'kubectl rollout status'].join('\n'),
    flagsByProgram({ context: 'prod' }),
    '`-o shell` has them whole',
  );
  expect(lines).toEqual([
    '# 3 commands that write one object each; `-o shell` has them whole',
    'kubectl --context prod rollout status',
  ]);
});

test('one command and a wait stay as they are', () => {
  const command = `${object('a')}\nkubectl rollout status`;
  expect(commandLines(command, noFlags, '')).toEqual(command.split('\n'));
});
