import { expect, test } from 'vitest';
import { linkMtusUnder } from './link-mtus.ts';

test.each([
  ['aws:///eu-central-1a/i-0abc', [9001, 1500]],
  ['gce://project/europe-west1-b/node-1', [1460, 8896, 1500]],
  ['vsphere://4237', [1500, 9000]],
  [null, [1500, 9000]],
])('under %s: %o', (providerID, expected) => {
  expect(linkMtusUnder(providerID).map(({ mtu }) => mtu)).toEqual(expected);
});
