import { expect, test } from 'vitest';
import { offersFor } from './offers-for.ts';
import { releaseCatalogue } from './release-catalogue.ts';

const offers = releaseCatalogue('v1.34.3');
const versions = (goal: 'install' | 'upgrade', running: string | null) =>
  offersFor(offers, { goal }, running).map(({ version }) => version);

test('an upgrade is offered no release that runs already, and none before it', () => {
  expect(versions('upgrade', 'v3.31.4')).toContain('v3.31.7');
  expect(versions('upgrade', 'v3.31.4')).not.toContain('v3.31.4');
  expect(versions('upgrade', 'v3.31.4')).not.toContain('v3.30.7');
});

test('an installation, and an upgrade from what cannot be compared, are offered all of them', () => {
  expect(versions('install', 'v3.31.4')).toHaveLength(offers.length);
  expect(versions('upgrade', null)).toHaveLength(offers.length);
  expect(versions('upgrade', 'master')).toHaveLength(offers.length);
});
