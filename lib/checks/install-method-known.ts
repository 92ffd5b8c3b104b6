import { defineCheck } from './check.ts';
import { isCovered } from './framework/coverage.ts';

export const installMethodKnown = defineCheck({
  id: 'install.method-known',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['enable', 'upgrade'],
  reads: ['installation'],
  title: 'How Calico was installed is known, and where it keeps its data',
  consequence:
    'Each way of installing has its own way of changing. The wrong one writes objects that nothing reads, or starts a second Calico.',
  remedy: {
    steps: [
      'Look at who made the DaemonSet calico-node: an operator leaves an Installation, a manifest DATASTORE_TYPE or ETCD_ENDPOINTS in its environment.',
      'Check again.',
    ],
    command: 'kubectl get daemonsets -A -l k8s-app=calico-node -o yaml',
    fixIn: 'goal',
  },
  source: 'checks.md › Installation and upgrade',
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
    if (method !== 'unknown' && datastore !== null) {
      return {
        kind: 'pass',
        because: `Installed by ${wayOf[method]}, with its data in ${storeOf[datastore]}.`,
        evidence,
      };
    }
    if (!isCovered(facts, 'installation')) {
      return { kind: 'unknown', because: 'How Calico was installed could not be read.', evidence };
    }
    const what =
      method === 'unknown' ? 'How Calico was installed cannot be told' : 'Where Calico keeps its data cannot be told';
    return {
      kind: 'fail',
      because: `${what}.`,
      subjects: [
        {
          kind: 'DaemonSet',
          namespace,
          name: 'calico-node',
          detail: method === 'unknown' ? 'its origin cannot be told' : 'its datastore cannot be told',
        },
      ],
      evidence,
    };
  },
});

const wayOf = {
  operator: 'the operator',
  helm: 'Helm',
  'manifest-kdd': 'manifest',
  'manifest-etcd': 'manifest',
} as const;

const storeOf = { kubernetes: 'the Kubernetes API', etcd: 'etcd' } as const;
