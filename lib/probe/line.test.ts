import { expect, test } from 'vitest';
import { parseLines } from './line.ts';

const good = '{"v":1,"probe":"measured"}';

test.each<[string, string]>([
  ['no JSON', 'calico says hello'],
  ['half a line', '{"v":1,"probe":"meas'],
  ['another version', '{"v":2,"probe":"measured"}'],
  ['a probe that does not exist', '{"v":1,"probe":"node-of-another","node":"worker-2"}'],
  ['ten megabytes', `{"v":1,"probe":"node","boot":"${'x'.repeat(10_000_000)}","kernel":""}`],
  ['what arrived in words of its own', '{"v":1,"probe":"vxlan","peer":"10.0.0.1","arrives":"\\u001b[31mall"}'],
])('%s is passed over, and the rest is read', (_what, line) => {
  expect(parseLines(`${line}\n${good}\n`)).toEqual([{ v: 1, probe: 'measured' }]);
});
