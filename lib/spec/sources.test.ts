import { expect, test } from 'vitest';
import * as spec from './index.ts';
import { sourceFault, sourceKindsOf } from './sources.ts';

const today = new Date().toISOString().slice(0, 10);

/** Arrays of rows, and records of rows, that the folder exports; what describes sources themselves has none. */
const tables = Object.entries(spec).flatMap(([name, value]): [string, object[]][] => {
  if (name === 'sourceKinds' || typeof value !== 'object' || value === null) return [];
  const rows: unknown[] = Array.isArray(value) ? value : Object.values(value);
  const objects = rows.filter((row) => typeof row === 'object' && row !== null);
  return objects.length > 0 && objects.length === rows.length ? [[name, objects]] : [];
});

/** Exported tables that state nothing about Calico or a platform: names and addresses of our own, and of the API. */
const notKnowledge = ['localRanges', 'nodeTests', 'resources', 'roleKinds'];

test.each(tables.filter(([name]) => !notKnowledge.includes(name)))(
  'every row of %s has its source and date',
  (_, rows) => {
    const faults = rows.flatMap((row, index) => {
      const fault = sourceFault(row, today);
      return fault === null ? [] : [`row ${index}: ${fault}: ${JSON.stringify(row).slice(0, 120)}`];
    });
    expect(faults).toEqual([]);
  },
);

test('every note on a platform has a source of a known kind', () => {
  for (const { id, notes } of spec.platformGuides)
    for (const { text, source } of notes) expect(sourceKindsOf(source), `${id}: ${text}: ${source}`).not.toBeNull();
});

test('no table is left out', () => {
  expect(tables.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'advisedFloors',
      'calicoReleases',
      'clouds',
      'defaultRegistries',
      'definitionCharts',
      'distributionFloors',
      'distributionRules',
      'endpointSources',
      'enterpriseKinds',
      'enterpriseReleases',
      'enterpriseTrains',
      'gates',
      'imageLists',
      'imageUses',
      'immutableSystems',
      'installers',
      'kernelFlavours',
      'kernelRules',
      'linkMtus',
      'movedValues',
      'operatorRewrites',
      'operatorTrains',
      'otherNetworks',
      'pinnedValues',
      'platformGuides',
      'platformSigns',
      'platforms',
      'releaseFiles',
      'testedWith',
      'tcxKernels',
      'trafficLimits',
      'unsupportedFeatures',
    ]),
  );
});

const good = { source: 'spec › Limits', read: '2026-11-20' };

test.each([
  [good, null],
  [{ read: '2026-11-20' }, 'it has no source'],
  [{ ...good, source: '' }, 'it has no source'],
  [{ ...good, source: 'everybody knows' }, 'its source "everybody knows" is of no known kind'],
  [{ ...good, source: 'spec › Limits; a colleague' }, 'its source "a colleague" is of no known kind'],
  [{ source: good.source }, 'it has no date on which its source was read'],
  [{ ...good, read: 'yesterday' }, 'it has no date on which its source was read'],
  [{ ...good, read: '2026-02-30' }, 'it has no date on which its source was read'],
  [{ ...good, read: '2026-12-01' }, 'its source was read on 2026-12-01, which is yet to come'],
])('%o: %s', (row, fault) => {
  expect(sourceFault(row, '2026-11-21')).toBe(fault);
});

test.each([
  ['spec › Limits; calico.md §10', ['spec', 'reference']],
  ['RN v3.29.7, v3.30.5, v3.31.3; projectcalico/calico#11302', ['release notes', 'thread']],
  ['RN v3.31.0 (projectcalico/calico#10573)', ['release notes']],
  ['tigera/operator config/calico_versions.yml at the tag', ['file']],
  ['https://docs.rke2.io/install/ha', ['page']],
  ['tigera-operator.yaml of the release', ['manifest']],
  ['measured: operator v1.38.16 uses quay.io', ['measured']],
])('%s is %o', (source, kinds) => {
  expect(sourceKindsOf(source)).toEqual(kinds);
});
