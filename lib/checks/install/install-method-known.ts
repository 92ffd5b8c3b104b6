import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { defineCheck, type Result } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';
import { objectSubject } from '../reading/object-subject.ts';

export const installMethodKnown = defineCheck({
  id: 'install.method-known',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['enable', 'upgrade'],
  reads: ['installation', 'unfinished'],
  title: 'The way Calico was installed is recognised',
  gap: 'No installation of Calico that a plan can change',
  topic: 'Way Calico was installed',
  ifIgnored: 'The plan writes what nothing reads',
  consequence:
    'Each kind of installation is changed in its own way. The wrong way writes objects that nothing reads, or starts a second Calico.',
  remedy: {
    steps: ['Find out what created the DaemonSet calico-node.', 'Check again.'],
    details: [
      'An operator creates an Installation. A manifest sets DATASTORE_TYPE or ETCD_ENDPOINTS in the environment.',
    ],
    command: 'kubectl get daemonsets -A -l k8s-app=calico-node -o yaml',
    fixIn: 'goal',
  },
  source: 'checks.md › Installation and upgrade; calico.md §3.7, §9; pain H14',
  run: (facts, { goal }) => {
    const { method, datastore, evidence, namespace } = facts.installation;
    const verb = goal === 'upgrade' ? 'upgrade' : 'enable';
    if (method === 'none') {
      return {
        kind: 'fail',
        because: `Calico is not installed on this cluster: there is nothing to ${verb}.`,
        subjects: [{ kind: 'Cluster', namespace: null, name: facts.cluster.name, detail: 'has no Calico' }],
        remedy: { steps: ['Choose the goal install.'], command: 'signalbox check --goal install', fixIn: 'goal' },
        evidence,
      };
    }
    const moving = onTheMove(facts.installation.migration);
    if (moving) return moving;
    if (method !== 'unknown' && datastore !== null) {
      return {
        kind: 'pass',
        because: `Installed by ${wayOf[method]}, with its data in ${storeOf[datastore]}.`,
        evidence,
      };
    }
    if (!isCovered(facts, 'installation')) {
      return { kind: 'unknown', because: 'The way Calico was installed could not be read.', evidence };
    }
    const what =
      method === 'unknown'
        ? 'The way Calico was installed is not recognised'
        : 'The datastore of Calico is not recognised';
    return {
      kind: 'fail',
      because: `${what}.`,
      subjects: [
        {
          kind: 'DaemonSet',
          namespace,
          name: 'calico-node',
          detail: method === 'unknown' ? 'origin not recognised' : 'datastore not recognised',
        },
      ],
      evidence,
    };
  },
});

/** While the operator migrates nodes from a manifest, there are two agents, and a change of the Installation reaches only one (calico.md §3.2, §3.7). */
function onTheMove(migration: Facts['installation']['migration']): Result | null {
  // A finished migration may leave the label `migrated` on every node.
  if (migration === null || migration.waiting + migration.agents.length === 0) return null;
  const { waiting, migrated, agents } = migration;
  const labelled = waiting + migrated;
  const waits = waiting === 0 ? '' : ` ${waiting} of ${counted(labelled, 'node')} ${waiting === 1 ? 'waits' : 'wait'}.`;
  return {
    kind: 'fail',
    because: `Calico is being moved from a manifest to the operator, and that has not ended.${waits} The old agents get neither an endpoint nor a version from the operator.`,
    subjects:
      agents.length > 0
        ? agents.map((one) => ({ ...objectSubject(one), detail: 'one of two agents of Calico' }))
        : [{ kind: 'Node', namespace: null, name: counted(waiting, 'node'), detail: 'labelled pre-operator' }],
    remedy: {
      steps: [
        'Fix what TigeraStatus calico and the log of the operator name: the operator then continues by itself.',
        'Check again.',
      ],
      details: ['The old DaemonSet has to stay until the move is over.'],
      command: 'kubectl get nodes -L projectcalico.org/operator-node-migration',
    },
    evidence: migration.evidence,
  };
}

const wayOf = {
  operator: 'the operator',
  helm: 'Helm',
  'manifest-kdd': 'manifest',
  'manifest-etcd': 'manifest',
} as const;

const storeOf = { kubernetes: 'the Kubernetes API', etcd: 'etcd' } as const;
