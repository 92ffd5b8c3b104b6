import { expect, test } from 'vitest';
import { parseFlags } from '../flags.ts';
import { nodeFlags, nodeSettings } from './node-flags.ts';

const settingsOf = (given: readonly string[]) => nodeSettings(parseFlags(given, nodeFlags).flags);

test('without a flag: every interface that Calico would take, every NodePort, and no beginning beside policies', () => {
  expect(settingsOf([])).toEqual({
    own: { host: '127.0.0.1', port: 9098 },
    nodeIps: [],
    packets: { choice: { network: 'found', pods: ['cali*'] }, ofPods: true, dsr: null },
    masquerade: [],
    onceAloneWhen: 'felix-allows',
    nodePorts: 'all',
    withoutPolicy: 'refuse',
    minSyncMs: 50,
    healthPort: 10_256,
  });
});

test.each([
  [['--iface', 'none'], { packets: null, healthPort: null }],
  [['--iface', 'eth0,bond*'], { packets: { choice: { network: ['eth0', 'bond*'], pods: ['cali*'] } } }],
  [['--pod-iface', 'none'], { packets: { ofPods: false, choice: { pods: [] } } }],
  [['--dsr'], { packets: { dsr: { throughTunnel: [] } } }],
  [
    ['--dsr', '--dsr-optout', '10.0.0.0/8,fd00::/8'],
    { packets: { dsr: { throughTunnel: ['10.0.0.0/8', 'fd00::/8'] } } },
  ],
  [['--masquerade', '10.244.0.0/16'], { masquerade: ['10.244.0.0/16'] }],
  [['--kube-proxy-cleanup'], { onceAloneWhen: 'asked' }],
  [['--health-port', 'none'], { healthPort: null }],
  [['--health-port', '0'], { healthPort: 0 }],
  [['--nodeport-addresses', '192.0.2.0/24'], { nodePorts: ['192.0.2.0/24'] }],
  [['--without-policy', 'I-understand'], { withoutPolicy: 'understood' }],
  [['--node-ip', '192.0.2.1', '--node-ip', '2001:db8::1'], { nodeIps: ['192.0.2.1', '2001:db8::1'] }],
])('%j', (given, expected) => {
  expect(settingsOf(given)).toMatchObject(expected);
});

test.each([
  [['--node-ip', 'here'], '--node-ip: "here" is not an IP address'],
  [['--without-policy', 'yes'], '--without-policy: write I-understand, which confirms that no policy is enforced'],
  [['--iface', 'eth 0'], '--iface: "eth 0" is not the name of an interface; write eth0 or bond*'],
  [['--dsr-optout', '10.0.0.0/8'], '--dsr-optout has no meaning without --dsr'],
  [['--dsr', '--dsr-optout', '10.0.0.1'], '--dsr-optout: "10.0.0.1" is not a range; write 10.0.0.0/8'],
  [['--iface', 'none', '--masquerade', '10.0.0.0/8'], '--masquerade has no meaning with --iface none'],
  [['--iface', 'none', '--kube-proxy-cleanup'], '--kube-proxy-cleanup has no meaning with --iface none'],
  [['--health-port', '65536'], '--health-port: "65536" is not a port; write a number up to 65535, or none.'],
  [['--min-sync', '50'], '--min-sync: "50" is not a duration'],
])('%j is refused before anything is loaded', (given, sentence) => {
  expect(() => settingsOf(given)).toThrow(sentence);
});
