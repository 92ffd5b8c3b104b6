import { describe, expect, test } from 'vitest';
import { felixLines } from '#lib/spec/index.ts';
import { lineTime, readAgentLog, writesInfo } from './agent-log.ts';

const start = '2026-11-21 05:23:03.100 [INFO][71] felix/daemon.go 373: Felix starting up GOMAXPROCS=2';
const enabled = `2026-11-21 05:23:04.200 [INFO][71] felix/int_dataplane.go 642: ${felixLines.bpfEnabled}`;
const refused = `2026-11-21 05:23:04.200 [ERROR][71] felix/daemon.go 368: ${felixLines.bpfRefused}`;
const early = Date.parse('2026-11-21T05:00:00Z');

describe('the last of the two lines since the latest start decides', () => {
  test.each([
    ['only a start', [start], 'neither'],
    ['the enabled line', [start, enabled], 'enabled'],
    ['the refusal', [start, refused], 'refused'],
    ['a refusal after it was enabled', [start, enabled, refused], 'refused'],
    ['a restart that has not said anything yet', [start, enabled, start.replace('05:23:03', '05:24:00')], 'neither'],
    [
      'lines with the runtime’s own time before them',
      [`2026-11-21T05:23:04.200000000Z stdout F ${enabled}`],
      'enabled',
    ],
  ])('%s', (_, lines, decision) => {
    expect(readAgentLog(lines.join('\n'), early).decision).toBe(decision);
  });
});

test('lines before the switch do not count, even where the server sends them', () => {
  expect(readAgentLog([start, enabled].join('\n'), Date.parse('2026-11-21T05:23:05Z')).decision).toBe('neither');
});

test.each([
  ['2026-11-21T05:23:04.2Z stdout F x', '2026-11-21T05:23:04.200Z'],
  ['2026-11-21T07:23:04+02:00 x', '2026-11-21T05:23:04.000Z'],
  ['2026-11-21 05:23:04.200 [WARNING][71] felix/x.go 1: y', '2026-11-21T05:23:04.200Z'],
])('%s is from %s', (line, time) => {
  expect(new Date(lineTime(line) ?? 0).toISOString()).toBe(time);
});

test('a line without a time has none', () => {
  expect(lineTime('Calico node started successfully')).toBeNull();
});

test.each([
  [null, true],
  ['', true],
  ['Info', true],
  ['DEBUG', true],
  ['Warning', false],
  ['error', false],
  ['None', false],
  ['loud', false],
])('severity %s: Info lines are written: %s', (severity, expected) => {
  expect(writesInfo(severity)).toBe(expected);
});
