import { defineCheck } from '../check.ts';
import { installationId, isManifestInstall } from '../reading/installation.ts';
import { plannedField } from '../reading/planned-installation.ts';

/** The operator validates both fields together and changes nothing while they contradict each other. */
export const installNonPrivileged = defineCheck({
  id: 'install.non-privileged',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['installation'],
  title: 'The agent may run privileged',
  gap: 'The agent runs without privileges',
  topic: 'Privileges of the agent',
  ifIgnored: 'The operator refuses to switch',
  consequence:
    'The operator refuses `nonPrivileged: Enabled` together with eBPF. It turns Degraded and changes nothing: the switch never begins.',
  remedy: {
    steps: [
      'Set nonPrivileged to Disabled in Installation default, and wait until calico-node has rolled out.',
      'Check again.',
    ],
    command: `kubectl patch installations.operator.tigera.io default --type merge -p '{"spec":{"nonPrivileged":"Disabled"}}'`,
    fixIn: 'resources',
  },
  source: 'calico.md §2.4',
  appliesTo: (facts) =>
    isManifestInstall(facts) ? { because: 'No operator runs here.', restsOn: ['installation'] } : true,
  run: (facts, choices) => {
    const { value } = plannedField(facts, choices, 'nonPrivileged');
    if (value !== 'Enabled') return { kind: 'pass', restsOn: ['installation'] };
    const evidence = [{ object: installationId, path: 'spec.nonPrivileged', value }];
    return {
      kind: 'fail',
      because: 'The Installation says nonPrivileged: Enabled, which the operator refuses together with eBPF.',
      subjects: [{ kind: 'Installation', namespace: null, name: 'default', detail: 'nonPrivileged is Enabled' }],
      evidence,
    };
  },
});
