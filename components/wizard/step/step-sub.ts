import { type FormStepId, proxyProposal, type WizardContext } from '#lib/console/wizard/index.ts';

/** The line under the question: what there is today. */
export function subOf(step: Exclude<FormStepId, 'compatibility'>, context: WizardContext): string {
  const { facts } = context;
  switch (step) {
    case 'goal': {
      const { version } = facts.installation;
      const kubernetes = facts.cluster.kubernetesVersion;
      return [
        `${facts.cluster.name} runs ${kubernetes === null ? 'Kubernetes' : `Kubernetes ${kubernetes.replace(/^v/, '')}`}`,
        version === null ? 'without Calico' : `with Calico ${version}`,
        `on ${facts.nodes.length} nodes.`,
      ].join(' ');
    }
    case 'platform':
      return 'Decides how the service proxy goes, and where an address is looked for.';
    case 'endpoint':
      return 'eBPF takes the Services over, so Calico needs an address that works without one.';
    case 'proxy':
      return proxyProposal(context).runs;
    case 'release':
      return 'Every change of the plan comes from the files of one release; they are read before anything is planned.';
    case 'resources':
      return 'What the operator is asked to set up, proposed for this cluster. Some of it cannot be changed later.';
    case 'changes':
      return changesSub(context);
    case 'afterwards':
      return 'Offered, never assumed: each is a step of the plan behind the upgrade, with its own way back.';
    case 'options':
      return context.draft.answers.goal === 'install'
        ? 'Set from the start, as a later change restarts every agent once more.'
        : 'Set before the switch, as a later change restarts every agent once more.';
  }
}

function changesSub({ changes }: WizardContext): string {
  switch (changes?.kind) {
    case 'manifest':
      return changes.isThreeWay
        ? `${changes.file} of the release that runs, the cluster, and ${changes.file} of ${changes.to}, compared field by field.`
        : `The cluster and ${changes.file} of ${changes.to}, compared field by field. The file of the release that runs is not at hand, so who changed a field is not known.`;
    case 'helm':
      return `Values of the Helm release ${changes.release}, now and with the chart ${changes.to}.`;
    case 'operator':
      return 'The Installation stays as it is. What people set on the operator itself is carried over.';
    case undefined:
      return 'Known once the files of the release are here.';
  }
}
