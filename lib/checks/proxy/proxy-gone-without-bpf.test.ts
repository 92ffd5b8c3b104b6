import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const off: Overrides<Facts> = { proxy: { running: false, pods: { desired: 0, ready: 0 } } };
const bpf: Overrides<Facts> = { installation: { dataplane: { wanted: 'BPF', actual: 'BPF' } } };

test.each<[string, Overrides<Facts>, string]>([
  ['it runs', {}, 'pass'],
  ['it is off and eBPF is on', { ...off, ...bpf }, 'pass'],
  ['it is off and eBPF is not on', off, 'fail'],
  ['there is none and eBPF is not on', { proxy: { kind: 'none', running: false } }, 'fail'],
  ['it is off and some nodes are on eBPF', { ...off, installation: { dataplane: { actual: 'mixed' } } }, 'fail'],
  [
    'it is off and the data plane cannot be told',
    { ...off, installation: { dataplane: { actual: 'unknown' } } },
    'unknown',
  ],
  ['it cannot be told whether it runs', { proxy: { running: null } }, 'unknown'],
])('%s', (_name, facts, expected) => {
  expect(find('proxy.gone-without-bpf', facts).status).toBe(expected);
});

test.each<[Goal, string]>([
  ['enable', 'warning'],
  ['upgrade', 'blocking'],
  ['undo', 'blocking'],
  ['restore', 'blocking'],
])('%s: %s', (goal, severity) => {
  expect(find('proxy.gone-without-bpf', off, { goal }).severity).toBe(severity);
});

test('a missing service proxy means that Services are down', () => {
  expect(find('proxy.gone-without-bpf', off).because).toBe(
    'Services are down now: the service proxy is gone (it is scheduled on no node), and the data plane is Iptables.',
  );
});

test.each<[Goal]>([['enable'], ['upgrade'], ['undo']])(
  '%s: it is an outage, and the DaemonSet can be turned on',
  (goal) => {
    const { outage, remedy } = find('proxy.gone-without-bpf', off, { goal });
    expect(outage).toBe(true);
    expect(remedy.command).toBe(
      `kubectl -n kube-system patch daemonset kube-proxy --type merge -p '{"spec":{"template":{"spec":{"nodeSelector":{"non-calico":null,"operator.tigera.io/disable-kube-proxy":null}}}}}'`,
    );
  },
);

test('a proxy that is no DaemonSet has no such command', () => {
  expect(find('proxy.gone-without-bpf', { proxy: { kind: 'none', running: false } }).remedy.command).toBeUndefined();
});

test('one of the two is enough to pass, both are needed to fail', () => {
  expect(find('proxy.gone-without-bpf', uncover(aFacts(), 'dataplane')).status).toBe('pass');
  expect(find('proxy.gone-without-bpf', uncover(aFacts(bpf), 'proxy')).status).toBe('pass');
  expect(find('proxy.gone-without-bpf', uncover(aFacts(off), 'dataplane')).status).toBe('unknown');
});

const selector = {
  object: 'kube-system/DaemonSet/kube-proxy',
  path: "spec.template.spec.nodeSelector['non-calico']",
  value: 'true',
};
const turnedOff: Overrides<Facts> = { proxy: { ...off.proxy, evidence: [selector] } };

test('where its own switch is off, a plan of its own turns it on again', () => {
  expect(find('proxy.gone-without-bpf', turnedOff).remedy.goal).toBe('restore');
  expect(find('proxy.gone-without-bpf', turnedOff, { goal: 'restore' })).toMatchObject({
    status: 'fail',
    outage: true,
    fixedBy: 'proxy.restore',
  });
  expect(
    find('proxy.gone-without-bpf', { proxy: { kind: 'openshift', running: false } }, { goal: 'restore' }).fixedBy,
  ).toBe('proxy.restore.openshift');
});

test.each<[string, Overrides<Facts>, RegExp]>([
  ['nothing says what keeps it off', off, /none of the selectors/],
  ['there is none', { proxy: { kind: 'none', running: false } }, /it was deleted/],
  ['it is no object of the API', { proxy: { kind: 'embedded', running: false } }, /not started through the API/],
  ['Argo CD writes it', { proxy: { ...turnedOff.proxy, managedBy: 'argocd' } }, /in argocd/],
])('where %s, no plan does, and the finding says why', (_name, facts, because) => {
  const { remedy, fixedBy } = find('proxy.gone-without-bpf', facts, { goal: 'restore' });
  expect(remedy.goal).toBeUndefined();
  expect(fixedBy).toBeNull();
  expect(remedy.steps[0]).toMatch(because);
});
