import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { disabledByPlaywright } from '../../e2e/browser/testing/disabled-features.ts';
import { root } from '../setup/root.mjs';

test('our list of disabled features of Chromium equals Playwright’s', () => {
  const bundle = readFileSync(join(root, 'node_modules/playwright-core/lib/coreBundle.js'), 'utf8');
  const [, list = ''] = /\n\s*disabledFeatures = \[\n([\s\S]*?)\n\s*\]\.filter/.exec(bundle) ?? [];
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  expect(theirs).toContain('HttpsUpgrades');
  expect(disabledByPlaywright).toEqual(theirs);
});
