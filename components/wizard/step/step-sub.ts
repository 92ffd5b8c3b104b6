import { counted } from '#lib/base/words.ts';
import { type FormStepId, proxyProposal, type WizardContext } from '#lib/console/wizard/index.ts';
import { wasRead } from '#lib/spec/was-read.ts';

/** The line under the question: the present state. */
export function subOf(step: Exclude<FormStepId, 'compatibility'>, context: WizardContext): string {
  const { facts } = context;
  switch (step) {
    case 'goal': {
      const { version } = facts.installation;
      const kubernetes = facts.cluster.kubernetesVersion;
      return [
        `${facts.cluster.name} runs ${kubernetes === null ? 'Kubernetes' : `Kubernetes ${kubernetes.replace(/^v/, '')}`}`,
        version === null ? 'without Calico' : `with Calico ${version}`,
        wasRead(facts, 'nodes') ? `on ${counted(facts.nodes.length, 'node')}.` : '(nodes not read).',
      ].join(' ');
    }
    case 'platform':
      return 'The platform decides how the service proxy is turned off, and where Signalbox looks for an address.';
    case 'endpoint':
      return 'eBPF takes the Services over, so Calico needs an address that works without one.';
    case 'proxy':
      return proxyProposal(context).runs;
    case 'release':
      return 'Every change of the plan comes from the files of one release. Signalbox reads them before it plans.';
    case 'resources':
      return 'Settings for the operator, proposed for this cluster. Some of them cannot be changed later.';
    case 'changes':
      return changesSub(context);
    case 'afterwards':
      return 'All optional: each is a step of the plan after the upgrade, with its own undo.';
    case 'options':
      return context.draft.answers.goal === 'install'
        ? 'Set them now: a later change restarts every agent again.'
        : 'Set them before the switch: a later change restarts every agent again.';
  }
}

function changesSub({ changes }: WizardContext): string {
  switch (changes?.kind) {
    case 'manifest':
      return changes.isThreeWay
        ? `${changes.file} of the release that runs, the cluster, and ${changes.file} of ${changes.to}, compared field by field.`
        : `The cluster and ${changes.file} of ${changes.to}, compared field by field. The file of the running release is not available, so it is unknown who changed a field.`;
    case 'helm':
      return `Values of the Helm release ${changes.release}, now and with the chart ${changes.to}.`;
    case 'operator':
      return 'The Installation stays as it is. What people set on the operator itself is carried over.';
    case undefined:
      return 'Known once the files of the release are here.';
  }
}
