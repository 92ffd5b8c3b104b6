import { expect, test } from 'vitest';
import { whyInstall } from './packages.mjs';

const here = { os: process.platform, cpu: process.arch };
const vitest = { version: '4.1.12', integrity: 'sha512-a' };

test.each([
  ['node_modules is missing', { '': {} }, null, 'node_modules is missing or incomplete'],
  ['all as locked', { '': {}, 'node_modules/vitest': vitest }, { 'node_modules/vitest': vitest }, null],
  [
    'another version',
    { 'node_modules/vitest': vitest },
    { 'node_modules/vitest': { ...vitest, version: '4.1.11' } },
    'vitest is 4.1.11, package-lock.json says 4.1.12',
  ],
  [
    'the same version with other contents',
    { 'node_modules/vitest': vitest },
    { 'node_modules/vitest': { ...vitest, integrity: 'sha512-b' } },
    'vitest is 4.1.12, package-lock.json says 4.1.12',
  ],
  ['one is new', { 'node_modules/a/node_modules/b': vitest }, {}, 'b 4.1.12 is not installed'],
  ['one is gone', {}, { 'node_modules/vitest': vitest }, 'node_modules/vitest is not in package-lock.json'],
  ['an optional one for elsewhere', { 'node_modules/x': { optional: true, os: ['beos'], cpu: ['z80'] } }, {}, null],
  [
    'our own Node, left out',
    { 'node_modules/node-x': { version: '24.0.0', optional: true, ...here } },
    {},
    'node-x 24.0.0 is not installed',
  ],
])('%s', (_, wanted, installed, why) => {
  expect(whyInstall(wanted, installed)).toBe(why);
});
