import { defineCheck } from '../check.ts';
import { objectSubject } from '../reading/object-subject.ts';

/** An Installation on such a cluster would start a migration of its own at once (calico.md §3.7). */
export const enableOperatorNeeded = defineCheck({
  id: 'enable.operator-needed',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['enable'],
  reads: ['installation'],
  title: 'The operator runs Calico here',
  consequence:
    'The switch is a change of the Installation. A manifest install has none, and creating one starts a migration of the whole cluster at once.',
  remedy: {
    steps: [
      'Move Calico to the operator first: that is a journey of its own, with its own checks.',
      'Then enable eBPF.',
    ],
    fixIn: 'goal',
  },
  source: 'spec › Versioning; calico.md §3.7',
  run: ({ installation: { method, manifest, agent, evidence } }) => {
    switch (method) {
      case 'operator':
      case 'helm':
        return { kind: 'pass', evidence };
      case 'none':
        return { kind: 'skipped', because: 'Calico is not installed.' };
      case 'unknown':
        return { kind: 'unknown', because: 'How Calico was installed cannot be told.' };
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
          evidence,
        };
      }
    }
  },
});
