import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

test('a changed object has its lines in order, and a gap where the same was left out', () => {
  const unified = [
    '--- Installation/default',
    '+++ Installation/default',
    '@@ -8,3 +8,2 @@',
    ' spec:',
    '-    hostPorts: Enabled',
    '     ipPools:',
    '@@ -22,1 +21,1 @@',
    '-    linuxDataplane: Iptables',
    '+    linuxDataplane: BPF',
    '',
  ].join('\n');
  expect(diffLines(unified)).toEqual([
    {
      object: 'Installation/default',
      change: 'changed',
      lines: [
        { kind: 'gap' },
        { kind: 'same', text: 'spec:' },
        { kind: 'removed', text: '    hostPorts: Enabled' },
        { kind: 'same', text: '    ipPools:' },
        { kind: 'gap' },
        { kind: 'removed', text: '    linuxDataplane: Iptables' },
        { kind: 'added', text: '    linuxDataplane: BPF' },
      ],
    },
  ]);
});

test('objects that come and go are told by the side that is nowhere', () => {
  const unified =
    '--- /dev/null\n+++ ns/ConfigMap/new\n@@ -0,0 +1,1 @@\n+a: 1\n--- ns/ConfigMap/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a: 1\n';
  expect(diffLines(unified).map(({ object, change }) => [object, change])).toEqual([
    ['ns/ConfigMap/new', 'created'],
    ['ns/ConfigMap/old', 'deleted'],
  ]);
});

test('a removed line that looks like a header stays a line', () => {
  const unified = '--- ConfigMap/a\n+++ ConfigMap/a\n@@ -1,2 +1,1 @@\n--- script\n x: 1\n';
  expect(diffLines(unified)[0]?.lines).toEqual([
    { kind: 'removed', text: '-- script' },
    { kind: 'same', text: 'x: 1' },
  ]);
});

test('nothing written is no part', () => {
  expect(diffLines('')).toEqual([]);
});
