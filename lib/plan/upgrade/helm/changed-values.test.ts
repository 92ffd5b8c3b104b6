import { expect, test } from 'vitest';
import { changedValues, valuesDiff } from './changed-values.ts';

const to = (version: string) => ({ version, operator: 'v1.40.7' });

test.each<[string, Record<string, unknown>, string, string, Record<string, string>]>([
  ['nothing was set', {}, 'v3.30.7', 'v3.31.4', {}],
  ['what stays where it is', { apiServer: { enabled: false } }, 'v3.30.7', 'v3.31.4', {}],
  [
    'a value that moved',
    { kubeletVolumePluginPath: '/var/lib/kubelet' },
    'v3.30.7',
    'v3.31.4',
    { 'installation.kubeletVolumePluginPath': '/var/lib/kubelet' },
  ],
  ['the same, not crossed', { kubeletVolumePluginPath: '/var/lib/kubelet' }, 'v3.30.4', 'v3.30.7', {}],
  ['the same, crossed before', { kubeletVolumePluginPath: '/var/lib/kubelet' }, 'v3.31.2', 'v3.31.4', {}],
  [
    'a value at both places: the new one was meant',
    { kubeletVolumePluginPath: '/old', installation: { kubeletVolumePluginPath: '/new' } },
    'v3.30.7',
    'v3.31.4',
    {},
  ],
  [
    'images pinned to the old release',
    { tigeraOperator: { version: 'v1.38.16', registry: 'mirror.example' }, calicoctl: { tag: 'v3.30.7' } },
    'v3.30.7',
    'v3.31.4',
    { 'tigeraOperator.version': 'v1.40.7', 'calicoctl.tag': 'v3.31.4' },
  ],
])('%s', (_what, values, from, version, set) => {
  expect(changedValues(values, from, to(version))).toEqual(set);
});

test('the difference shows what stays, goes and comes, with what the chart says by itself', () => {
  const values = {
    kubeletVolumePluginPath: '/var/lib/kubelet',
    whisker: { enabled: false },
    tolerations: [{ operator: 'Exists' }],
  };
  const set = changedValues(values, 'v3.30.7', to('v3.31.4'));
  expect(valuesDiff(values, set, { old: 'a', next: 'b' })).toBe(
    [
      '--- values of a',
      '+++ values of b',
      ' kubeletVolumePluginPath: /var/lib/kubelet  # ignored at this place',
      " whisker.enabled: false  # the chart's own: true",
      ' tolerations: [{"operator":"Exists"}]',
      '+installation.kubeletVolumePluginPath: /var/lib/kubelet  # the chart\'s own: "None"',
      '',
    ].join('\n'),
  );
});

test('no value and no key makes a line of its own', () => {
  const diff = valuesDiff({ 'a\n+b': 'x\n+tigeraOperator.image: evil', c: '\u202eevil' }, {}, { old: 'o', next: 'n' });
  expect(diff.trimEnd().split('\n')).toEqual([
    '--- values of o',
    '+++ values of n',
    ' a\\u000a+b: x\\u000a+tigeraOperator.image: evil',
    ' c: \\u202eevil',
  ]);
});
