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
    case 'options':
      return context.draft.answers.goal === 'install'
        ? 'Set from the start, as a later change restarts every agent once more.'
        : 'Set before the switch, as a later change restarts every agent once more.';
  }
}
