import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { defineCheck } from './check.ts';
import { felixId } from './reading/felix.ts';
import { installationId } from './reading/installation.ts';
import { kubectlArguments, objectSubject } from './reading/object-subject.ts';
import { kubeProxyId } from './reading/proxy.ts';
import { agreeing, listed } from './wording/sentences.ts';
import { shellWord } from './wording/shell.ts';

type Mark = Facts['resources']['ownership'][number];

/** Helm writes only when somebody runs it: `managed-by.helm` judges that. */
type Reconciler = Exclude<Mark['by'], 'helm'>;

const reconcilers: Record<Reconciler, { name: string; pause: (object: string) => string }> = {
  argocd: {
    name: 'Argo CD',
    pause: (object) =>
      `Argo CD: change ${object} in the Git repository of its Application, or pause it with \`argocd app set NAME --sync-policy none\`.`,
  },
  flux: {
    name: 'Flux',
    pause: (object) =>
      `Flux: change ${object} in the Git repository of its Kustomization or HelmRelease, or pause it with \`flux suspend kustomization NAME\`.`,
  },
  fleet: {
    name: 'Fleet',
    pause: (object) =>
      `Fleet: change ${object} in the Git repository of its GitRepo, or set \`spec.paused: true\` on that GitRepo.`,
  },
  'addon-manager': {
    name: 'the add-on manager',
    pause: (object) =>
      `The add-on manager: change ${object} in its folder on the control plane nodes; where the provider runs it, leave ${object} alone and keep the service proxy.`,
  },
  other: {
    name: 'another tool',
    pause: (object) => `Change ${object} where that tool takes it from, or pause the tool.`,
  },
};

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
      mark.by !== 'helm' && objects.includes(mark.object) ? [{ ...mark, by: mark.by }] : [],
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
          ...new Set(marks.map(({ by, object }) => reconcilers[by].pause(object))),
          ...(marks.some(({ object }) => object === kubeProxyId)
            ? ['Or keep the service proxy running beside eBPF: then its DaemonSet is not touched.']
            : []),
          'Check again.',
        ],
        command: marks
          .map(({ object }) => `kubectl get ${kubectlArguments(object, shellWord)} -o yaml --show-managed-fields`)
          .join('\n'),
        fixIn: 'proxy',
      },
      evidence: marks.map(({ evidence }) => evidence),
    };
  },
});
