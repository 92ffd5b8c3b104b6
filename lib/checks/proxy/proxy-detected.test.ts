import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each<[Facts['proxy']['kind'], string]>([
  ['daemonset', 'pass'],
  ['openshift', 'pass'],
  ['embedded', 'pass'],
  ['static-pods', 'pass'],
  ['none', 'pass'],
  ['unknown', 'fail'],
])('%s: %s', (kind, expected) => {
  expect(find('proxy.detected', { proxy: { kind } })).toMatchObject({ status: expected, severity: 'warning' });
});

test('a DaemonSet of another name is turned off as a DaemonSet, and after the switch', () => {
  const object = 'kube-system/DaemonSet/kube-proxy-worker-a';
  const evidence = [{ object, path: 'spec.template.spec.containers[kube-proxy]', value: 'runs kube-proxy' }];
  const { remedy } = find('proxy.detected', { proxy: { kind: 'unknown', running: true, evidence } });
  expect(remedy.command).toBeUndefined();
  expect(remedy.steps[0]).toMatch(
    /^Once eBPF is active on every node, .*kubectl patch -n kube-system daemonset kube-proxy-worker-a .*"non-calico":"true"/,
  );
  expect(remedy.steps.join()).not.toContain('systemctl');
});

test('two DaemonSets are named once each, also where one of them is off', () => {
  const evidence = ['kube-proxy', 'kube-proxy', 'kube-proxy-gpu'].map((name, at) => ({
    object: `kube-system/DaemonSet/${name}`,
    path: `path ${at}`,
    value: null,
  }));
  const both = 'kube-system/DaemonSet/kube-proxy and kube-system/DaemonSet/kube-proxy-gpu';
  const running = find('proxy.detected', { proxy: { kind: 'unknown', running: true, evidence } });
  expect(running.because).toBe(`kube-proxy runs in a way that Signalbox cannot turn off: ${both}.`);
  expect(running.remedy.steps.filter((step) => step.includes('kubectl patch'))).toHaveLength(2);
  const partly = find('proxy.detected', { proxy: { kind: 'unknown', running: null, evidence } });
  expect(partly.because).toBe(
    `kube-proxy is off in one DaemonSet and runs in another, which Signalbox cannot turn off: ${both}.`,
  );
});

test('what could not be read is unknown, not a proxy of an unknown kind', () => {
  expect(find('proxy.detected', uncover(aFacts({ proxy: { kind: 'unknown' } }), 'proxy')).status).toBe('unknown');
});
