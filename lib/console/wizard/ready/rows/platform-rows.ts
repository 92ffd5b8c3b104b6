import { counted } from '#lib/base/words.ts';
import { isByOperator } from '#lib/spec/by-operator.ts';
import type { WizardContext } from '../../wizard-context.ts';
import { lastOf, type Row } from './found-row.ts';

export function platformRow({ platform, facts, draft }: WizardContext): Row {
  const servers = facts.endpoint.apiServers.length;
  const [seen] = facts.platform.evidence;
  return {
    what: 'Platform',
    value: servers === 0 ? platform.title : `${platform.title}, ${counted(servers, 'API server')}`,
    source:
      draft.answers.platform === undefined
        ? seen === undefined
          ? 'no sign of another'
          : lastOf(seen.object)
        : 'your choice',
    change: 'platform',
    checks: ['platform.supported', 'platform.kubernetes-version', 'platform.eks-auto-mode'],
  };
}

export function calicoRow({ facts: { installation } }: WizardContext): Row {
  const by = {
    operator: 'by the operator',
    helm: 'by Helm',
    'manifest-kdd': 'by manifest',
    'manifest-etcd': 'by manifest, with etcd',
    none: '',
    unknown: '',
  }[installation.method];
  return {
    what: 'Calico',
    value: `${installation.version ?? 'version not known'} ${by}`.trim(),
    source: isByOperator(installation) ? 'Installation default' : 'workloads',
    change: null,
    checks: [
      'install.method-known',
      'enable.operator-needed',
      'install.status-healthy',
      'install.enterprise',
      'install.non-privileged',
      'install.felix-annotation',
    ],
  };
}
