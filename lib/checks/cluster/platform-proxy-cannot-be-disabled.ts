import { platformOf } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { plannedCni } from '../reading/planned-cni.ts';
import { proxyIsOff, proxySubject } from '../reading/proxy.ts';

export const platformProxyCannotBeDisabled = defineCheck({
  id: 'platform.proxy-cannot-be-disabled',
  group: 'Platform and permissions',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['platform', 'installation', 'proxy'],
  title: 'The service proxy can be turned off on this platform',
  gap: 'The service proxy cannot be turned off here',
  topic: 'Turning the service proxy off here',
  ifIgnored: 'The proxy keeps running beside eBPF',
  consequence:
    'The service proxy keeps running beside eBPF and writes rules that nothing uses. They cost most of what eBPF would save.',
  remedy: {
    steps: ['Accept this: eBPF works, and the plan keeps the rules of the proxy.'],
    details: [
      "The service proxy can be turned off on a cluster created without the provider's network (AKS: `--network-plugin none`).",
    ],
    fixIn: 'proxy',
  },
  source: 'spec › Limits',
  run: (facts, choices) => {
    const platform = platformOf({ facts, choices });
    if (!platform.ebpf.supported) {
      return { kind: 'skipped', because: `eBPF mode is not supported on ${platform.title}.`, restsOn: ['platform'] };
    }
    if (!('onlyWithCni' in platform.proxy)) {
      return {
        kind: 'pass',
        because: `On ${platform.title} the service proxy can be turned off.`,
        restsOn: choices.platform ? [] : ['platform'],
      };
    }
    const cni = plannedCni(facts, choices);
    if (cni === null) {
      return { kind: 'unknown', because: `The network of ${platform.title} was not read, and it decides this.` };
    }
    if (cni === platform.proxy.onlyWithCni) {
      return { kind: 'pass', because: `With Calico's own network ${platform.title} leaves the service proxy alone.` };
    }
    if (proxyIsOff(facts) === true) {
      return { kind: 'pass', because: 'No service proxy runs.', restsOn: ['proxy'] };
    }
    return {
      kind: 'fail',
      because: `${platform.title} puts the service proxy back as long as its own network (${cni}) connects the pods.`,
      subjects: [proxySubject(facts, `put back by ${platform.title} with ${cni}`)],
      evidence: [...facts.platform.evidence, ...facts.proxy.evidence],
    };
  },
});
