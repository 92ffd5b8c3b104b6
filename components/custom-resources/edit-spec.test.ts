import { expect, test } from 'vitest';
import { methodOf, methods } from './autodetection.ts';
import { listOf, numberOrText, textAt, withValue } from './edit-spec.ts';

const spec = {
  registry: 'a/',
  calicoNetwork: { mtu: 1440, ipPools: [{ cidr: '10.1.0.0/16' }, { cidr: '10.2.0.0/16' }] },
};

test('a value deep inside', () => {
  expect(withValue(spec, ['calicoNetwork', 'ipPools', 1, 'blockSize'], 26)).toEqual({
    ...spec,
    calicoNetwork: {
      ...spec.calicoNetwork,
      ipPools: [{ cidr: '10.1.0.0/16' }, { cidr: '10.2.0.0/16', blockSize: 26 }],
    },
  });
});

test('an entry goes, and the others move up', () => {
  expect(withValue(spec, ['calicoNetwork', 'ipPools', 0], undefined)).toMatchObject({
    calicoNetwork: { mtu: 1440, ipPools: [{ cidr: '10.2.0.0/16' }] },
  });
});

test('a group that is empty goes with its last field, a list does not: it means that there are none', () => {
  expect(withValue({ cni: { ipam: { type: 'Calico' } } }, ['cni', 'ipam', 'type'], undefined)).toEqual({});
  const one = { calicoNetwork: { ipPools: [{ cidr: '10.1.0.0/16' }] } };
  expect(withValue(one, ['calicoNetwork', 'ipPools', 0], undefined)).toEqual({ calicoNetwork: { ipPools: [] } });
});

test('an entry that loses all its fields stays an entry', () => {
  const one = { calicoNetwork: { ipPools: [{ cidr: '10.1.0.0/16' }] } };
  expect(withValue(one, ['calicoNetwork', 'ipPools', 0, 'cidr'], undefined)).toEqual({
    calicoNetwork: { ipPools: [{}] },
  });
});

test('what a field shows', () => {
  expect(textAt(spec, ['calicoNetwork', 'mtu'])).toBe('1440');
  expect(textAt(spec, ['calicoNetwork'])).toBe('');
  expect(textAt(spec, ['constructor'])).toBe('');
  expect(textAt({ cidrs: ['a', 'b'] }, ['cidrs'])).toBe('a, b');
});

test.each([
  ['1440', 1440],
  [' ', undefined],
  ['14x', '14x'],
])('%j is a number where it can be', (text, value) => {
  expect(numberOrText(text)).toBe(value);
});

test('a list by commas, spaces or lines', () => {
  expect(listOf('a, b\nc')).toEqual(['a', 'b', 'c']);
  expect(listOf(' , ')).toBeUndefined();
});

test.each(methods)('$id is read as it was written', (method) => {
  const text = method.asks ? 'eth0' : '';
  expect(methodOf(method.write(text))).toEqual({ method, text });
});

test('no method', () => {
  expect([undefined, null, {}, { firstFound: false }, 'eth0'].map(methodOf)).toEqual([null, null, null, null, null]);
});
