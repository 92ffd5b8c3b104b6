import { isEnterprise } from '#lib/spec/index.ts';
import { defineCheck, type Result } from '../check.ts';
import { isManifestInstall } from '../reading/installation.ts';
import { plannedVariant } from '../reading/planned-variant.ts';

/**
 * Never passes on Calico Enterprise: Signalbox was never run with it and has read none of its files, so every other check applies knowledge of Calico.
 * Enterprise numbers its releases differently, so an upgrade cannot even be compared.
 */
export const installEnterprise = defineCheck({
  id: 'install.enterprise',
  group: 'Installation and upgrade',
  severity: 'warning',
  goals: ['install', 'enable', 'upgrade'],
  reads: ['installation'],
  title: 'The product is Calico itself',
  gap: 'The product is Calico Enterprise',
  topic: 'Product',
  ifIgnored: 'Limits and versions may differ',
  consequence:
    'Signalbox knows the versions, images, limits and features of Calico. Calico Enterprise has its own release numbers, and parts that Calico lacks: logs, a manager, a licence.',
  remedy: {
    steps: ['Compare the plan with the eBPF guide of your Calico Enterprise release, then accept this.'],
    details: [
      'Read what the guide says about kernels, the service proxy and upgrades.',
      'Before that, Enterprise needs the Secret for its images in namespace tigera-operator, its Prometheus operator for a Monitor, StorageClass tigera-elasticsearch for a LogStorage.',
    ],
  },
  source: 'spec › Installation resource; calico.md §2.1',
  appliesTo: (facts) =>
    isManifestInstall(facts)
      ? { because: 'Calico was installed by manifest, which Calico Enterprise never is.', restsOn: ['installation'] }
      : true,
  run: (facts, choices, files) => {
    const { variant, from } = plannedVariant(facts, choices, files);
    const evidence = [{ object: from, path: 'spec.variant', value: variant ?? null }];
    if (!isEnterprise(variant)) return { kind: 'pass', evidence };
    const because = `${from} asks for ${String(variant)}, and of Calico Enterprise nothing was tried here.`;
    if (choices.goal !== 'upgrade') return { kind: 'unknown', because, evidence };
    return { ...notUpgraded(because), evidence };
  },
});

function notUpgraded(because: string): Extract<Result, { kind: 'fail' }> {
  return {
    kind: 'fail',
    severity: 'blocking',
    because: `${because} Its versions are not those of Calico, and their order is not in the table of releases.`,
    subjects: [{ kind: 'Installation', namespace: null, name: 'default', detail: 'asks for Calico Enterprise' }],
    remedy: { steps: ['Upgrade it as the guide of Calico Enterprise says.'] },
  };
}
