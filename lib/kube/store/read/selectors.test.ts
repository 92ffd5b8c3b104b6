import { expect, test } from 'vitest';
import { matcherOf } from './selectors.ts';

const aPod = (more: Record<string, unknown>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', labels: { app: 'web' } },
  ...more,
});

test.each([
  ['spec.nodeName=a', { spec: { nodeName: 'a' } }, true],
  ['spec.nodeName=a', { spec: {} }, false],
  ['spec.nodeName=', { spec: {} }, true],
  ['status.phase!=Running', { status: { phase: 'Failed' } }, true],
  ['status.phase=Running,spec.nodeName=a', { status: { phase: 'Running' }, spec: { nodeName: 'b' } }, false],
  ['metadata.namespace=n', {}, true],
])('%s of %j: %s', (fieldSelector, more, expected) => {
  expect(matcherOf({ fieldSelector })(aPod(more))).toBe(expected);
});

test('events are found by the object that they are about', () => {
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Installation', name: 'default' },
  };
  expect(matcherOf({ fieldSelector: 'involvedObject.kind=Installation,involvedObject.name=default' })(event)).toBe(
    true,
  );
});

test('namespace and selectors hold together', () => {
  const matches = matcherOf({ namespace: 'n', labelSelector: 'app=web', fieldSelector: 'metadata.name=p' });
  expect(matches(aPod({}))).toBe(true);
  expect(matches({ ...aPod({}), metadata: { name: 'p', namespace: 'other', labels: { app: 'web' } } })).toBe(false);
});

test.each(['=x', 'a in b', 'a,,b', 'a b'])('label selector "%s" is refused', (labelSelector) => {
  expect(() => matcherOf({ labelSelector })).toThrow(expect.objectContaining({ code: 'invalid' }));
});

test('a label named like a member of every object is only a label', () => {
  expect(matcherOf({ labelSelector: 'constructor' })(aPod({}))).toBe(false);
});
