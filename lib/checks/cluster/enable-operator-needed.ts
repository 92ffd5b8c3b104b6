import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { installerHere, moveToOperator, ownWay } from '../reading/installer.ts';
import { objectSubject } from '../reading/object-subject.ts';

/** An Installation on such a cluster would start a migration at once (calico.md §3.7). */
export const enableOperatorNeeded = defineCheck({
  id: 'enable.operator-needed',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['enable'],
  reads: ['installation'],
  title: 'The operator runs Calico here',
  gap: 'No operator runs Calico here',
  topic: 'Operator of Calico',
  ifIgnored: 'Nothing makes the switch',
  consequence:
    'The switch changes the Installation. An installation by manifest has none, and creating one starts to migrate the whole cluster at once.',
  remedy: {
    steps: [moveToOperator, 'Check again, and then enable eBPF.'],
    fixIn: 'goal',
  },
  source: 'spec › Versioning; calico.md §3.7',
  run: (facts, choices) => {
    const { method, manifest, agent, evidence } = facts.installation;
    switch (method) {
      case 'operator':
      case 'helm':
        return { kind: 'pass', evidence };
      case 'none':
        return { kind: 'skipped', because: 'Calico is not installed.' };
      case 'unknown':
        return { kind: 'unknown', because: 'The way Calico was installed is not recognised.' };
      case 'manifest-kdd':
      case 'manifest-etcd': {
        const file = manifest === null ? 'a manifest' : `the manifest ${manifest}.yaml`;
        const store = method === 'manifest-etcd' ? ', with its data in etcd' : '';
        return {
          kind: 'fail',
          because: `Calico was installed by ${file}${store}: there is no Installation that could be switched.`,
          subjects: [
            { ...objectSubject(agent ?? 'kube-system/DaemonSet/calico-node'), detail: `installed by ${file}` },
          ],
          remedy: remedyFor(facts, choices),
          evidence,
        };
      }
    }
  },
});

/**
 * Calico documents eBPF mode for the Kubernetes datastore only (docs.tigera.io/calico/3.28 › operations › ebpf › Supported; read 2026-11-22), and the
 * operator's migration stops with a MigrationError (calico.md §3.7), which leaves two of everything.
 */
const ofEtcd: Remedy = {
  steps: [
    'Move the data of Calico from etcd to the Kubernetes API first (`calicoctl datastore migrate`): the operator takes over no install that keeps it in etcd.',
    'Then move Calico to the operator, and enable eBPF after it.',
    'Check again.',
  ],
  fixIn: 'goal',
};

function remedyFor(facts: Facts, choices: Choices): Remedy {
  const installer = installerHere(facts, choices);
  if (installer === null) return facts.installation.datastore === 'etcd' ? ofEtcd : enableOperatorNeeded.remedy;
  return { steps: [...ownWay(installer), 'Check again.'] };
}
