import { expect, test } from 'vitest';
import { childrenSeconds, cpuMeter, heaviestFiles } from './cpu-seconds.mjs';

test.each([
  ['0m0.01s 0m0.00s\n1m2.50s 0m3.25s\n', 65.75],
  ['0m0.000000s 0m0.000000s\n0m0.120000s 0m0.030000s\n', 0.15],
  ['', 0],
])('of what a shell prints, its children count: %j', (output, seconds) => {
  expect(childrenSeconds(output)).toBeCloseTo(seconds, 5);
});

test('a program counts with its own children, for its suite; its exit code is what it was', async () => {
  const meter = cpuMeter();
  const burn = 'let sum = 0; for (let i = 0; i < 3e8; i += 1) sum += i % 7;';
  const parent = `require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(burn)}]); process.exit(3)`;
  const { code } = await meter.of('unit')(process.execPath, ['-e', parent], { output: 'errors' });
  expect(code).toBe(3);
  expect(meter.seconds('unit')).toBeGreaterThan(0.2);
  expect(meter.seconds('static')).toBe(0);
});

test('the heaviest files come first, and no more than are asked for', () => {
  const lines = [1.04, 30, 2].map((seconds, at) => JSON.stringify({ file: `${at}.test.ts`, seconds })).join('\n');
  expect(heaviestFiles(`${lines}\n`, 2)).toBe('1.test.ts 30.0, 2.test.ts 2.0');
  expect(heaviestFiles('', 2)).toBe('');
});
