import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { isManifestInstall } from '../reading/installation.ts';
import { withDetails } from '../reading/subject-names.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

type Status = Facts['resources']['tigeraStatuses'][number];

/** Left behind when kube-proxy management was turned off; then nothing updates it any more (controlplane.md › Recordings, item 12). */
const leftBehind = 'kubeproxy-monitor';

export const installStatusHealthy = defineCheck({
  id: 'install.status-healthy',
  group: 'Installation and upgrade',
  severity: 'blocking',
  causedByRuns: true,
  goals: ['enable', 'upgrade'],
  reads: ['tigeraStatuses'],
  title: 'Calico is healthy before the change',
  consequence:
    'A change on top of a fault hides which of the two a node suffers from, and an operator that is stuck carries nothing out.',
  remedy: {
    steps: ['Repair what these conditions name; the operator updates them within a minute.', 'Check again.'],
    command: 'kubectl get tigerastatus -o yaml',
  },
  source: 'checks.md › Installation and upgrade',
  appliesTo: (facts) => {
    if (facts.installation.method === 'none') return { because: 'Calico is not installed.', restsOn: ['installation'] };
    if (!isManifestInstall(facts)) return true;
    return { because: 'Calico was installed by manifest: no operator reports its status.', restsOn: ['installation'] };
  },
  run: ({ resources: { tigeraStatuses }, coverage }) => {
    if (tigeraStatuses.length === 0 && coverage.tigeraStatuses.covered) {
      return {
        kind: 'fail',
        because: 'The operator reports no status at all: there is no TigeraStatus.',
        subjects: [{ kind: 'TigeraStatus', namespace: null, name: 'calico', detail: 'is not there' }],
        remedy: {
          steps: ['See whether the operator runs and what it logs.', 'Check again.'],
          command: 'kubectl get deployments,pods -A -l k8s-app=tigera-operator',
        },
      };
    }
    const result = failOnAny({
      all: tigeraStatuses,
      noun: 'TigeraStatus',
      subject: ({ name }, detail) => ({ kind: 'TigeraStatus', namespace: null, name, detail }),
      judge: troubleOf,
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'TigeraStatus', 'TigeraStatuses')} ${agreeing(failing.length, 'is', 'are')} not healthy: ${withDetails(failing)}.`,
      evidence: ({ name, conditions }) => [
        { object: `TigeraStatus/${name}`, path: 'status.conditions', value: conditions },
      ],
    });
    if (result.kind !== 'fail') return result;
    const { name = '' } = result.subjects.length === 1 ? (result.subjects[0] ?? {}) : {};
    return name === leftBehind ? { ...result, remedy: removeLeftover(name) } : result;
  },
});

/** A condition that is missing is not known to be fine (calico.md §4). */
function troubleOf({ conditions }: Status): string | null {
  const degraded = conditions.find(({ type, status }) => type === 'Degraded' && status === 'True');
  if (degraded) return `Degraded: ${degraded.message || degraded.reason || 'without a message'}`;
  const available = conditions.find(({ type }) => type === 'Available');
  if (available?.status === 'True') return null;
  if (!available) return 'tells nothing of Available';
  const why = available.message || available.reason;
  return `Available is ${quoted(available.status)}${why ? `: ${why}` : ''}`;
}

function removeLeftover(name: string): typeof installStatusHealthy.remedy {
  return {
    steps: [
      'Where kubeProxyManagement is Enabled, repair what it names.',
      'Where it is not, this status was left behind and nothing updates it any more: delete it.',
      'Check again.',
    ],
    command: `kubectl delete tigerastatus ${shellWord(name)}`,
  };
}
