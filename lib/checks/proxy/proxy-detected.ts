import type { Facts } from '#lib/facts/index.ts';
import { defineCheck } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';
import { proxySubject } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

const kinds: Record<Exclude<Facts['proxy']['kind'], 'unknown'>, string> = {
  daemonset: 'It is the DaemonSet kube-system/kube-proxy.',
  openshift: "It is run by OpenShift's network operator.",
  embedded: "It is part of the distribution's own agent on each node.",
  'static-pods': 'It is a static pod on each node.',
  none: 'There is none.',
};

export const proxyDetected = defineCheck({
  id: 'proxy.detected',
  group: 'Service proxy',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['proxy'],
  title: 'The kind of service proxy is known',
  consequence:
    'A proxy that nobody knows of stays on beside eBPF. Its rules and those of eBPF mode then disturb each other.',
  remedy: {
    steps: [
      'Look for kube-proxy on a node: `systemctl status kube-proxy`, or its process.',
      'After the switch turn it off on every node (`systemctl disable --now kube-proxy`), or in the tool that made the cluster.',
      'Without a service proxy anywhere, accept this.',
    ],
    fixIn: 'proxy',
  },
  source: 'spec › Service proxy',
  run: (facts) => {
    const { kind, evidence } = facts.proxy;
    if (kind !== 'unknown') return { kind: 'pass', because: kinds[kind], evidence };
    if (!isCovered(facts, 'proxy')) return { kind: 'unknown', because: 'Which service proxy runs could not be read.' };
    const [first] = evidence;
    return {
      kind: 'fail',
      because:
        facts.proxy.running === true && first
          ? `kube-proxy runs in a way that Signalbox cannot turn off: ${listed(evidence.map(({ object }) => object))}.`
          : 'The API shows no kube-proxy here; it may run as a service of each node (systemd).',
      subjects: [proxySubject(facts, 'its kind cannot be told')],
      evidence,
    };
  },
});
