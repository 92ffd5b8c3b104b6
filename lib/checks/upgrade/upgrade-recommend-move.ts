import { defineCheck } from '../check.ts';
import { whereCalicoRuns } from '../framework/upgrade-check.ts';
import { installerHere } from '../reading/installer.ts';
import { objectSubject } from '../reading/object-subject.ts';

export const upgradeRecommendMove = defineCheck({
  id: 'upgrade.recommend-move',
  group: 'Installation and upgrade',
  severity: 'info',
  goals: ['upgrade'],
  reads: ['installation'],
  title: 'Calico is run by its operator, with its data in the Kubernetes API',
  gap: 'Calico is not run by its operator',
  topic: 'Way Calico is run',
  ifIgnored: 'Each upgrade needs manual changes again',
  consequence:
    'Nothing breaks. With a manifest, every upgrade has to repeat manual changes. Neither the operator nor this console sees data in etcd.',
  remedy: {
    steps: ['Upgrade with the current method, and plan the move to the operator separately.'],
  },
  source: 'spec › Versioning',
  appliesTo: whereCalicoRuns,
  run: (facts, choices) => {
    const { method, agent, evidence } = facts.installation;
    const agents = objectSubject(agent ?? 'kube-system/DaemonSet/calico-node');
    if (method === 'unknown')
      return { kind: 'unknown', because: 'The way Calico was installed is not recognised.', evidence };
    if (method !== 'manifest-kdd' && method !== 'manifest-etcd') return { kind: 'pass', evidence };
    const isEtcd = method === 'manifest-etcd';
    const installer = installerHere(facts, choices);
    if (installer?.upgrade)
      return {
        kind: 'fail',
        severity: 'warning',
        because: `${installer.title} writes the manifest of Calico: what is applied past it lasts until its next run.`,
        subjects: [{ ...agents, detail: `written by ${installer.title}` }],
        remedy: {
          steps: [installer.upgrade, `Or accept this, if ${installer.title} writes it here no longer.`],
        },
        evidence,
      };
    return {
      kind: 'fail',
      because: isEtcd
        ? 'Calico was installed by manifest and keeps its data in etcd: the Kubernetes API and the operator are recommended.'
        : 'Calico was installed by manifest: the operator is recommended.',
      subjects: [{ ...agents, detail: isEtcd ? 'installed by manifest, its data in etcd' : 'installed by manifest' }],
      evidence,
    };
  },
});
