import { expect, test } from 'vitest';
import { releaseCatalogue } from './release-catalogue.ts';

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
