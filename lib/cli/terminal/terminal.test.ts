import { expect, test } from 'vitest';
import { coloured, columns, headline, plain, rowsWidth, wrap, wrappedFor, wrapText } from './terminal.ts';

test('text breaks at spaces, and what follows a mark stands beside it', () => {
  expect(wrap('→ Choose another address, or repair this one.', 24, '  ', '    ').split('\n')).toEqual([
    '  → Choose another',
    '    address, or repair',
    '    this one.',
  ]);
});

test('a command in backticks stays whole, so that no part of it is carried out alone', () => {
  expect(wrap('`signalbox resume r --context prod` goes on with it.', 24).split('\n')).toEqual([
    '`signalbox resume r --context prod`',
    'goes on with it.',
  ]);
});

test('of a text, sentences break and indented lines stay whole', () => {
  const text = 'signalbox: Flow logs are not enabled.\n\n  signalbox apply --goal flow-logs\n';
  expect(wrapText(text, 24).split('\n')).toEqual([
    'signalbox: Flow logs are',
    '  not enabled.',
    '',
    '  signalbox apply --goal flow-logs',
    '',
  ]);
});

test('a message breaks at words on a terminal, and is one line in a pipe', () => {
  const text = 'Sandbox standard is served until Ctrl-C.';
  expect(wrappedFor(text, { isTTY: true, columns: 24 })).toBe('Sandbox standard is\n  served until Ctrl-C.');
  expect(wrappedFor(text, {})).toBe(text);
});

test('colour takes no room in a message, and what it paints of an indented line stays whole', () => {
  const dim = (text: string) => coloured('dim', text);
  const step = `10  ${coloured('bold', 'Turn eBPF on')}  ${dim('switch.bpf')}`;
  expect(wrappedFor(step, { isTTY: true, columns: 28 })).toBe(step);
  expect(wrappedFor(dim('    undo: Turn eBPF off again'), { isTTY: true, columns: 26 })).toBe(
    dim('    undo: Turn eBPF off again'),
  );
  expect(wrap(dim('one two three'), 13)).toBe(dim('one two three'));
});

test('lines of a diff stay whole, because the rest of one would look like another', () => {
  const diff = '--- live\n+++ merged\n@@ -1,2 +1,2 @@\n-  order: 100\n+  order: 200 # after those of the platform';
  expect(wrappedFor(diff, { isTTY: true, columns: 24 })).toBe(diff);
  expect(wrappedFor('--port 9000 has no effect.', { isTTY: true, columns: 24 })).toBe('--port 9000 has no\n  effect.');
});

test('a terminal of which nobody has set the size counts as one of 80 columns', () => {
  const text = 'Sandbox standard is served until Ctrl-C.';
  expect(wrappedFor(text, { isTTY: true, columns: 0 })).toBe(text);
});

test('a row of a table breaks on a terminal, and is one line in a pipe', () => {
  const shown = (isTerminal: boolean) =>
    columns([['data plane', 'BPF wanted; not verified on the nodes']], rowsWidth({ isTerminal, columns: 40 }));
  expect(shown(true).split('\n')).toEqual(['data plane  BPF wanted; not verified on', '            the nodes']);
  expect(shown(false)).toBe('data plane  BPF wanted; not verified on the nodes');
});

test.each([
  ['Chinese characters', '生产集群', 8],
  ['emoji', '🚀✅prod', 8],
  ['a letter with its accent as a second character', 'cafe\u0301', 4],
  ['painted Korean', coloured('green', '운영'), 4],
])('the column beside %s is as wide as a terminal shows it', (_what, cell, width) => {
  const [first, second] = columns([
    [cell, 'a'],
    ['0123456789', 'b'],
  ]).split('\n');
  expect(first).toBe(`${cell}${' '.repeat(10 - width)}  a`);
  expect(second).toBe('0123456789  b');
});

test('a sentence of wide characters breaks where a terminal has no more room', () => {
  expect(wrap('维护 窗口 之后', 10).split('\n')).toEqual(['维护 窗口', '之后']);
});

const title = 'Tell Calico the API server’s real address, api.example port 6443';
const beside = [
  { text: 'endpoint.configmap', colour: 'dim' },
  { text: 'control plane', colour: 'amber' },
] as const;

test('a title that fits has its words beside it', () => {
  const shown = headline({ paint: plain, columns: 120 }, ' 3  ', title, beside);
  expect(shown).toBe(` 3  ${title}  endpoint.configmap  control plane`);
});

test('a title that does not fit breaks between words, its words below it, and no line is too long', () => {
  const shown = headline({ paint: plain, columns: 50 }, ' 3  ', title, beside);
  expect(shown.split('\n')).toEqual([
    ' 3  Tell Calico the API server’s real address,',
    '    api.example port 6443',
    '    endpoint.configmap  control plane',
  ]);
});

test('colour takes no room', () => {
  const shown = headline({ paint: coloured, columns: 50 }, ' 3  ', title, beside);
  expect(shown.replaceAll(/\u001b\[\d+m/g, '')).toBe(headline({ paint: plain, columns: 50 }, ' 3  ', title, beside));
});

test('the last column goes on below itself', () => {
  const rows = [
    ['NAME', 'SHOWS'],
    ['openshift', 'its network operator runs the proxy, and its nodes cannot be written'],
  ];
  expect(columns(rows, 48).split('\n')).toEqual([
    'NAME       SHOWS',
    'openshift  its network operator runs the proxy,',
    '           and its nodes cannot be written',
  ]);
});

test('a word that fits in no column stays whole, on a line of its own', () => {
  const sum = 'e'.repeat(64);
  expect(columns([['  calico.yaml', sum]], 60).split('\n')).toEqual(['  calico.yaml', `      ${sum}`]);
  expect(columns([['  calico.yaml', sum]])).toBe(`  calico.yaml  ${sum}`);
});
