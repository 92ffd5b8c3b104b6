import { agreeing, counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { withDetails } from '../reading/subject-names.ts';

type Stuck = Facts['upgrade']['stuck'][number];

/** A warning that can be accepted, because a node may join or a pause may end before the upgrade gets there. */
export const upgradeRollout = defineUpgradeCheck({
  id: 'upgrade.rollout',
  severity: 'warning',
  reads: ['rollouts', 'nodes'],
  title: 'Every workload of Calico can replace its pods',
  gap: 'Workloads of Calico keep their old pods',
  topic: 'Rollout of the workloads',
  ifIgnored: 'The upgrade waits for these workloads',
  consequence:
    'The new pods stay Pending, or are never created: the upgrade stops half-way, with nodes of both releases.',
  remedy: { steps: ['Let these workloads replace their pods.', 'Check again.'] },
  source: 'pain F4; pain H25',
  evaluate: (_upgrade, { upgrade: { stuck } }) => {
    if (stuck.length === 0) return { kind: 'pass', because: nothingStuck };
    const subjects = stuck.map(({ subject }) => subject);
    return {
      kind: 'fail',
      because: `${counted(stuck.length, 'workload')} ${agreeing(stuck.length, 'keeps its', 'keep their')} old pods: ${withDetails(subjects)}.`,
      subjects,
      remedy: {
        steps: [...new Set(stuck.map(({ by }) => ways[by].step)), 'Check again.'],
        command: stuck.map((one) => shellLine(...ways[one.by].line(one))).join('\n'),
      },
      evidence: stuck.map(({ subject: { kind, namespace, name, detail }, by }) => ({
        object: `${namespace}/${kind}/${name}`,
        path: ways[by].path,
        value: detail,
      })),
    };
  },
});

/** PodDisruptionBudgets do not stop a rollout: lib/facts/upgrade/rollouts.ts. */
const nothingStuck =
  'Every workload has a node for its pods, and none is paused. PodDisruptionBudgets do not hold an upgrade up: a rollout does not ask them.';

/** What to do about each kind of stuck rollout. `path`: the field that shows it. */
const ways: Readonly<Record<Stuck['by'], { step: string; path: string; line(stuck: Stuck): string[] }>> = {
  'no-node': {
    step: 'Let a node take the pod: uncordon one, or change its labels or taints, or the nodeSelector and tolerations of the workload where they are set.',
    path: 'spec.template.spec',
    line: ({ subject }) => ['kubectl', 'describe', ...objectOf(subject)],
  },
  paused: {
    step: 'Resume the rollout that is paused.',
    path: 'spec.paused',
    line: ({ subject }) => patching(subject, '{"spec":{"paused":null}}'),
  },
  'on-delete': {
    step: 'Let the DaemonSet replace its pods by itself; with OnDelete, delete the pod of one node after the other during the upgrade, and accept this.',
    path: 'spec.updateStrategy.type',
    line: ({ subject }) => patching(subject, '{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}'),
  },
  ignored: {
    step: 'Take the annotation off, so that the operator updates the workload. It then reverts what was changed there by hand: set that in the Installation first.',
    path: `metadata.annotations['${names.ignoreAnnotation}']`,
    line: ({ subject }) => ['kubectl', 'annotate', ...objectOf(subject), `${names.ignoreAnnotation}-`],
  },
};

const objectOf = ({ kind, namespace, name }: Stuck['subject']) => [
  ...(namespace === null ? [] : ['-n', namespace]),
  kind.toLowerCase(),
  name,
];

function patching({ kind, namespace, name }: Stuck['subject'], patch: string): string[] {
  const where = namespace === null ? [] : ['-n', namespace];
  return ['kubectl', ...where, 'patch', kind.toLowerCase(), name, '--type', 'merge', '-p', patch];
}
