import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, type Goal, names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { felixId } from '../reading/felix.ts';
import { installationId } from '../reading/installation.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { kubeProxyId } from '../reading/proxy.ts';
import { listed, sentence } from '../wording/sentences.ts';

type Mark = Facts['resources']['ownership'][number];

/** Tools that put their own state back by themselves. Helm writes only when somebody runs it (`managed-by.helm`); any other mark names no tool that would. */
type Reconciler = Exclude<Mark['by'], 'helm' | 'other'>;

const reconcilers: Record<Reconciler, { name: string; source: string; pause: string }> = {
  argocd: {
    name: 'Argo CD',
    source: 'the Git repository of its Application',
    pause: 'pause it with `argocd app set NAME --sync-policy none`',
  },
  flux: {
    name: 'Flux',
    source: 'the Git repository of its Kustomization or HelmRelease',
    pause: 'pause it with `flux suspend kustomization NAME`',
  },
  fleet: {
    name: 'Fleet',
    source: 'the Git repository of its GitRepo',
    pause: 'set `spec.paused: true` on that GitRepo',
  },
  'addon-manager': {
    name: 'the add-on manager',
    source: 'its folder on the control plane nodes',
    pause: 'have it leave this object alone where the provider lets you',
  },
};

/** What the source has to say, so that it no longer contradicts the switch. */
const wantedInSource: Readonly<Record<string, string>> = {
  [installationId]: 'spec: {calicoNetwork: {linuxDataplane: BPF}}',
  [felixId]: 'spec: {bpfKubeProxyIptablesCleanupEnabled: false}',
  [kubeProxyId]: `spec: {template: {spec: {nodeSelector: {${names.nonCalicoSelector}: "true"}}}}`,
};

function stepFor(by: Reconciler, object: string, goal: Goal): string {
  const { name, source, pause } = reconcilers[by];
  const patch = goal === 'upgrade' ? undefined : wantedInSource[object];
  const change = patch === undefined ? `change ${object}` : `write \`${patch}\` for ${object}`;
  return sentence(`${name}: ${change} in ${source}, or ${pause}`);
}

/** The proxy's DaemonSet is written only when the plan turns the proxy off. */
function written(choices: Choices): string[] {
  return choices.keepProxy === true ? [installationId, felixId] : [installationId, felixId, kubeProxyId];
}

export const managedByReconciler = defineCheck({
  id: 'managed-by.reconciler',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable', 'upgrade'],
  reads: ['ownership'],
  title: 'No other tool writes the objects that the plan changes',
  consequence:
    'The tool puts its own values back, at a moment nobody chose, and with that reverts the switch on every node at once.',
  remedy: {
    steps: ['Change the source that the tool applies, or pause the tool for the time of the run.', 'Check again.'],
  },
  source: 'pain B4',
  run: ({ resources: { ownership } }, choices) => {
    const objects = written(choices);
    const marks = ownership.flatMap((mark) =>
      isReconciler(mark.by) && objects.includes(mark.object) ? [{ ...mark, by: mark.by }] : [],
    );
    if (marks.length === 0) return { kind: 'pass' };
    const owners = [...new Set(marks.map(({ by, object }) => `${object} (by ${reconcilers[by].name})`))];
    return {
      kind: 'fail',
      because: `${agreeing(owners.length, 'One object', `${owners.length} objects`)} that the plan changes ${agreeing(owners.length, 'is', 'are')} written by another tool: ${listed(owners)}.`,
      subjects: marks.map(({ object, by, evidence }) => ({
        ...objectSubject(object),
        detail: `${reconcilers[by].name} marks it: ${evidence.path}`,
      })),
      remedy: {
        steps: [
          ...new Set(marks.map(({ by, object }) => stepFor(by, object, choices.goal))),
          ...(marks.some(({ object }) => object === kubeProxyId)
            ? ['Or keep the service proxy running beside eBPF: then its DaemonSet is not touched.']
            : []),
          'Check again.',
        ],
        command: [...new Set(marks.map(({ object }) => object))]
          .map((object) => `kubectl get ${kubectlArguments(object, shellWord)} -o yaml --show-managed-fields`)
          .join('\n'),
        ...(marks.some(({ object }) => object === kubeProxyId) ? { fixIn: 'proxy' as const } : {}),
      },
      evidence: marks.map(({ evidence }) => evidence),
    };
  },
});

/** The tool that puts its own state back by itself, for people; null for owners that do not. */
export function reconcilerName(by: Mark['by']): string | null {
  return isReconciler(by) ? reconcilers[by].name : null;
}

function isReconciler(by: Mark['by']): by is Reconciler {
  return by in reconcilers;
}
