import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { felix, installation } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'feature.vlan-devices';
const interface_ = (name: unknown) =>
  find(id, {
    resources: { objects: installation({ calicoNetwork: { nodeAddressAutodetectionV4: { interface: name } } }) },
  });

test.each([
  ['bond0.100', 'fail'],
  ['eth0\\.100', 'fail'],
  ['vlan.*', 'fail'],
  ['ens192', 'unknown'],
  ['eth.*', 'unknown'],
  ['^(eth|ens).*', 'unknown'],
  [7, 'unknown'],
])('addresses from %o: %s', (name, expected) => {
  expect(interface_(name).status).toBe(expected);
});

test('the pattern of data interfaces tells as well', () => {
  const finding = find(id, { resources: { objects: felix({ bpfDataIfacePattern: '^bond0\\.200$' }) } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning', subjects: [{ kind: 'FelixConfiguration' }] });
});

test('no setting that names one proves nothing: it waits for a measurement', () => {
  expect(find(id)).toMatchObject({
    status: 'unknown',
    notMeasured: 'A pod on each node will list its interfaces with their kind.',
  });
  expect(find(id, uncover(aFacts(), 'installation'))).toMatchObject({ status: 'unknown', notMeasured: null });
});
