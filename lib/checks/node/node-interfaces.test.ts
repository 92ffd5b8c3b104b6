import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'node.interfaces';
const with_ = (bpfDataIfacePattern: unknown) => find(id, { resources: { objects: felix({ bpfDataIfacePattern }) } });

test.each([
  [undefined, 'unknown', true],
  ['^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)', 'unknown', true],
  ['^ens192$', 'unknown', true],
  ['.*', 'fail', false],
  ['^(eth|cali).*', 'fail', false],
  ['^tunl', 'fail', false],
  ['^Ethernet', 'fail', false],
  ['^(eth', 'fail', false],
  [42, 'fail', false],
  ['(e+)+th', 'unknown', false],
])('%o: %s', (pattern, status, waits) => {
  const finding = with_(pattern);
  expect([finding.status, finding.notMeasured !== null]).toEqual([status, waits]);
});

test('what is odd about it is said', () => {
  expect(with_('.*')).toMatchObject({
    severity: 'warning',
    because: expect.stringContaining('it matches cali0123456789a, tunl0, vxlan.calico and 4 more'),
    subjects: [{ kind: 'FelixConfiguration', name: 'default' }],
  });
});

test('a setting that was not read is another question', () => {
  expect(find(id, uncover(aFacts(), 'felix'))).toMatchObject({ status: 'unknown', notMeasured: null });
});
