import { expect, test } from 'vitest';
import { proposedRelease, releaseCatalogue } from './release-catalogue.ts';

test.each([
  [null, /^v3\.31\.\d+$/],
  ['v1.33.1', /^v3\.31\.\d+$/],
  ['v1.31.4-eks-a737599', /^v3\.31\.\d+$/],
  ['v1.36.0', /^v3\.3[23]\.\d+$/],
  ['v1.99.0', /^v3\.31\.\d+$/],
  ['a build of ours', /^v3\.31\.\d+$/],
])('on Kubernetes %s, %s is proposed', (kubernetes, expected) => {
  expect(proposedRelease(kubernetes)).toMatch(expected);
});

test('exactly one is proposed, with its reason, and the one of the specification can be chosen', () => {
  const offers = releaseCatalogue('v1.33.1');
  expect(offers.filter(({ proposed }) => proposed !== null)).toHaveLength(1);
  expect(offers.map(({ version }) => version)).toContain('v3.31.4');
});

test('what blocks stands first among what is known of a release, and such a release is never proposed', () => {
  for (const { version, proposed, advice } of releaseCatalogue('v1.36.0')) {
    const blocks = advice.map(({ action }) => action === 'block');
    expect(blocks, version).toEqual(blocks.toSorted((a, b) => Number(b) - Number(a)));
    if (proposed !== null) expect(blocks).not.toContain(true);
  }
});
