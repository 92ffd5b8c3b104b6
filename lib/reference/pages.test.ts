import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calicoReleases, gates, platformGuides } from '#lib/spec/index.ts';
import { gateMatrix } from './gate-matrix.ts';
import { referencePage, referencePages } from './pages.ts';

const folder = join(import.meta.dirname, '../../docs/reference');
const pages = referencePages();

test.each([...pages.keys()])('docs/reference/%s is what the tables say now: else run scripts/reference.ts', (name) => {
  expect(readFileSync(join(folder, name), 'utf8')).toBe(pages.get(name));
});

test('docs/reference has these pages and no other', () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
});

test.each([...pages])('%s: every table has one number of columns, and no row tells nothing', (_, text) => {
  let columns = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) {
      columns = 0;
      continue;
    }
    const cells = line.split(/(?<!\\)\|/).length;
    if (columns === 0) columns = cells;
    expect(cells, line).toBe(columns);
    expect(line.replaceAll(/[| ]/g, ''), line).not.toBe('');
  }
});

test.each([...pages])('%s: nothing but line breaks and comments is HTML', (_, text) => {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`]*`/g, '');
  expect(prose.replaceAll(/<br>|<!--[\s\S]*?-->/g, '')).not.toMatch(/<[a-zA-Z/_]/);
  expect(text).not.toMatch(/undefined|\[object |\bNaN\b/);
});

test('every platform row is on its page with its flags word for word', () => {
  const page = referencePage('platforms') ?? '';
  for (const { title, createFlags } of platformGuides) {
    expect(page).toContain(`\n## ${title}\n`);
    if (Array.isArray(createFlags)) for (const flag of createFlags) expect(page).toContain(`\n${flag}\n`);
  }
});

test('22 gates and at least 40 releases, in one second', () => {
  const began = process.cpuUsage();
  const text = referencePage('gates') ?? '';
  const took = process.cpuUsage(began).user / 1000;
  const rows = text.split('\n').filter((line) => /^\| v3\./.test(line));
  expect(rows.length).toBe(calicoReleases.length);
  expect(rows.length).toBeGreaterThanOrEqual(40);
  for (const row of rows) expect(row.split('|')).toHaveLength(22 + 3);
  expect(took).toBeLessThan(1000);
});

test.each([
  ['v3.30.6', { V1: 'F', V2: '', V3: 'K', V10: 'F C', V12: 'T' }],
  ['v3.30.7', { V1: '', V10: 'C', V8: '' }],
  ['v3.31.4', { V1: 'C', V2: '', V8: 'C', V11: '', V12: 'T', V17: '' }],
  ['v3.31.0', { V2: 'K', V11: 'T', V13: 'T' }],
  ['v3.29.2', { V6: 'F', V5: 'C', V10: 'F' }],
  ['v3.28.4', { V7: 'K', V5: 'C' }],
  ['v3.26.1', { V4: 'K', V5: '', V16: 'T' }],
  ['v3.32.1', { V19: 'C', V20: 'C', V21: 'T' }],
  ['3.31', { V11: '?' }],
])('of %s the gates say %o', (release, expected) => {
  const [row] = gateMatrix(gates, [release]);
  const texts = Object.fromEntries(gates.map(({ id }, index) => [id, row?.cells[index]?.join(' ')]));
  expect(texts).toMatchObject(expected);
});
