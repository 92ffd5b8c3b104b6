import { expect, test } from 'vitest';
import { versionInChart } from './definition-charts.ts';
import { calicoMinorOfOperator, calicoOfOperator } from './releases.ts';

test.each([
  ['v1.40.7', 'v3.31.4', '3.31'],
  ['1.40.12', 'v3.31.5', '3.31'],
  ['v1.38.16', 'v3.30.7', '3.30'],
  ['v1.38.13', 'v3.30.7', '3.30'],
  ['v1.32.12', 'v3.27.5', '3.27'],
  ['v1.38.5', null, '3.30'],
  ['v1.41.0', null, null],
  ['latest', null, null],
])('operator %s installs %s', (operator, calico, minor) => {
  expect(calicoOfOperator(operator)).toBe(calico);
  expect(calicoMinorOfOperator(operator)).toBe(minor);
});

test.each([
  ['tigera-operator-v3.31.4', 'v3.31.4'],
  ['crd.projectcalico.org.v1-v3.32.1', 'v3.32.1'],
  ['tigera-operator-3.31.4-rc-1', '3.31.4-rc-1'],
  ['tigera-operator', null],
  [null, null],
])('the version of chart %j is %j', (recorded, version) => {
  expect(versionInChart(recorded)).toBe(version);
});

test('a recorded name of any length is looked through once', () => {
  const began = process.cpuUsage();
  expect(versionInChart(`${'0-'.repeat(50_000)}!`)).toBeNull();
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
});
