import { proxyProposal } from '../../proposals.ts';
import type { WizardContext } from '../../wizard-context.ts';
import { lastOf, type Row } from './found-row.ts';

export function proxyRow(context: WizardContext): Row {
  const { facts, proxy } = context;
  const after = {
    stays: ' It stays beside eBPF.',
    none: '',
    managed: ' The operator turns it off.',
    instructions: ' Turning it off is yours: the run waits.',
    daemonset: ' Turned off last.',
    openshift: ' Turned off last.',
  }[proxy.now];
  const [seen] = facts.proxy.evidence;
  return {
    what: 'Service proxy',
    value: `${proxyProposal(context).runs}${context.draft.answers.automatic ? ' The operator turns it off at once.' : after}`,
    source: seen === undefined ? 'DaemonSets and pods' : lastOf(seen.object),
    change: 'proxy',
    checks: [
      'proxy.detected',
      'proxy.not-ipvs',
      'proxy.no-double-management',
      'proxy.health-port',
      'proxy.comes-back',
      'proxy.can-come-back',
      'proxy.gone-without-bpf',
      'platform.proxy-cannot-be-disabled',
    ],
  };
}
