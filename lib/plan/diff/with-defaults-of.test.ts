import { expect, test } from 'vitest';
import { withDefaultsOf } from './with-defaults-of.ts';

const pod = (containers: object[], more: object = {}) => ({ spec: { template: { spec: { containers, ...more } } } });

test('what the server fills in again is no removal, by the names of containers; what somebody set is one', () => {
  const before = pod(
    [
      { name: 'sidecar', image: 'a', terminationMessagePath: '/dev/termination-log', resources: {} },
      { name: 'agent', image: 'b:1', terminationMessagePolicy: 'File', terminationMessagePath: '/elsewhere' },
    ],
    { restartPolicy: 'Always', priorityClassName: 'mine' },
  );
  const after = pod([{ name: 'agent', image: 'b:2' }]);
  expect(withDefaultsOf(before, after)).toEqual(
    pod([{ name: 'agent', image: 'b:2', terminationMessagePolicy: 'File' }], { restartPolicy: 'Always' }),
  );
});

test.each([
  ['an object that is new', null, pod([{ name: 'a' }])],
  ['one that goes', pod([{ name: 'a' }]), null],
  ['a value in the place of a block', { spec: { a: {} } }, { spec: 'a' }],
])('%s is as it is', (_what, before, after) => {
  expect(withDefaultsOf(before, after)).toEqual(after);
});
