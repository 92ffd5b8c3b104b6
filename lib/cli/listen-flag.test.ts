import { expect, test } from 'vitest';
import { parseFlags } from './flags.ts';
import { listenFlag } from './listen-flag.ts';

const listenOf = (given: string[]) =>
  listenFlag(parseFlags(given, { listen: { value: 'HOST:PORT', help: '' } }).flags, '127.0.0.1:9098');

test.each([
  [[], { host: '127.0.0.1', port: 9098 }],
  [['--listen', '[::1]:0'], { host: '::1', port: 0 }],
  [['--listen', 'localhost:65535'], { host: 'localhost', port: 65_535 }],
])('%j is %j', (given, expected) => {
  expect(listenOf(given)).toEqual(expected);
});

test.each(['::1:80', '127.0.0.1:65536', ':80', '127.0.0.1', '[::1]', '[a.b]:1'])('%s is refused', (text) => {
  expect(() => listenOf(['--listen', text])).toThrow(
    `--listen: ${JSON.stringify(text)} is not a host and a port; write 127.0.0.1:9098`,
  );
});
