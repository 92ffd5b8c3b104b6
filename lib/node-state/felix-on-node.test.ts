import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { felixOn } from './felix-on-node.ts';

type Sources = {
  env?: Record<string, string>;
  own?: Record<string, unknown>;
  everywhere?: Record<string, unknown> | null;
};

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

const configuration = (name: string, spec: Record<string, unknown>, time: string): KubeObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: { name, managedFields: [{ time, fieldsV1: { 'f:spec': { 'f:bpfEnabled': {} } } }] },
  spec,
});

function on({ env = {}, own, everywhere = {} }: Sources) {
  const containers = [
    { name: 'other', env: [{ name: 'FELIX_LOGSEVERITYSCREEN', value: 'Fatal' }] },
    { name: 'calico-node', env: Object.entries(env).map(([name, value]) => ({ name, value })) },
  ];
  const daemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {},
    spec: { template: { spec: { containers } } },
  };
  const configurations = new Map<string, KubeObject>();
  if (everywhere) configurations.set('default', configuration('default', everywhere, at(10)));
  if (own) configurations.set('node.w', configuration('node.w', own, at(5)));
  configurations.set(
    'node.other',
    configuration('node.other', { bpfEnabled: true, logSeverityScreen: 'Debug' }, at(1)),
  );
  return felixOn('w', { daemonSet, configurations });
}

const warning = { logSeverityScreen: 'Warning' };
const debug = { logSeverityScreen: 'Debug' };

test.each<[string, Sources, string | null]>([
  ['nothing', {}, null],
  ['default', { everywhere: warning }, 'Warning'],
  ['the node’s own beats default', { own: debug, everywhere: warning }, 'Debug'],
  [
    'the environment beats both',
    { env: { FELIX_LOGSEVERITYSCREEN: 'Error' }, own: debug, everywhere: warning },
    'Error',
  ],
  ['an empty variable is none', { env: { FELIX_LOGSEVERITYSCREEN: '' }, own: debug }, 'Debug'],
  ['an empty field is none', { own: { logSeverityScreen: '' }, everywhere: warning }, 'Warning'],
])('severity: %s', (_, sources, expected) => {
  expect(on(sources).severity).toBe(expected);
});

test.each<[string, Sources, string, string]>([
  ['nothing', {}, '/run/calico/cgroup', 'cali'],
  ['default', { everywhere: { cgroupV2Path: '/sys/fs/cgroup', interfacePrefix: 'azv' } }, '/sys/fs/cgroup', 'azv'],
  ['a path that is none', { everywhere: { cgroupV2Path: '-h', interfacePrefix: ',' } }, '/run/calico/cgroup', 'cali'],
  [
    'the environment beats both',
    {
      env: { FELIX_CGROUPV2PATH: '/var/cgroup', FELIX_INTERFACEPREFIX: 'eni,cali' },
      own: { cgroupV2Path: '/own' },
      everywhere: { interfacePrefix: 'gke' },
    },
    '/var/cgroup',
    'eni cali',
  ],
])('where programs are looked for: %s', (_, sources, cgroupFolder, prefixes) => {
  expect(on(sources)).toMatchObject({ cgroupFolder, podInterfaces: prefixes.split(' ') });
});

const isOn = { bpfEnabled: true };
const isOff = { bpfEnabled: false };
const seconds = (count: number) => Date.parse(at(count));

test.each<[string, Sources, ReturnType<typeof on>['wanted'], string, boolean, number | null]>([
  ['nothing is off', {}, 'standard', 'FelixConfiguration', false, seconds(10)],
  ['nothing that can be read', { everywhere: null }, null, 'FelixConfiguration', false, null],
  ['default', { everywhere: isOn }, 'bpf', 'FelixConfiguration', false, seconds(10)],
  ['its own, off', { own: isOff, everywhere: isOn }, 'standard', 'FelixConfiguration node.w', true, seconds(5)],
  ['its own, on', { own: isOn, everywhere: isOff }, 'bpf', 'FelixConfiguration node.w', true, seconds(5)],
  ['its own, the same', { own: isOn, everywhere: isOn }, 'bpf', 'FelixConfiguration node.w', false, seconds(5)],
  ['its own about something else', { own: debug, everywhere: isOn }, 'bpf', 'FelixConfiguration', false, seconds(10)],
  ['environment, on', { env: { FELIX_BPFENABLED: 'yes' }, own: isOff }, 'bpf', 'FELIX_BPFENABLED', true, null],
  [
    'environment, not to be read',
    { env: { FELIX_BPFENABLED: 'on' }, everywhere: isOn },
    'standard',
    'FELIX_BPFENABLED',
    true,
    null,
  ],
])('data plane: %s', (_, sources, wanted, decidedBy, differs, since) => {
  expect(on(sources)).toMatchObject({ wanted, decidedBy, differs, since });
});
