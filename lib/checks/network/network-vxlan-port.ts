import { defineCheck } from '../check.ts';
import { felixEvidence, felixField, felixId } from '../reading/felix.ts';
import { objectSubject } from '../reading/object-subject.ts';

/** What the operator writes on MKE for eBPF mode, and only where nothing is set yet (calico.md §3.5). */
const wanted = 8472;

/** The operator keeps a port that it wrote for the standard data plane, and MKE's own overlay listens on that one. */
export const networkVxlanPort = defineCheck({
  id: 'network.vxlan-port',
  group: 'Network',
  severity: 'warning',
  goals: ['enable'],
  reads: ['platform', 'felix'],
  title: 'The VXLAN port is free for eBPF mode',
  gap: 'The VXLAN port is taken',
  topic: 'VXLAN port',
  ifIgnored: 'NodePort traffic between nodes is lost',
  consequence:
    "On MKE port 4789 belongs to the engine's own overlay: NodePort traffic between the nodes is lost after the switch.",
  remedy: {
    steps: [
      'Open UDP port 8472 between all nodes first: from the next step on VXLAN traffic takes that port alone.',
      'Then, in a maintenance window and before the switch, set vxlanPort to 8472 and bpfHostConntrackBypass to false, which the operator writes for a new cluster alone.',
      'Check again.',
    ],
    command: `kubectl patch felixconfigurations.crd.projectcalico.org default --type merge -p '{"spec":{"vxlanPort":${wanted},"bpfHostConntrackBypass":false}}'`,
    fixIn: 'compatibility',
  },
  source: 'calico.md §3.5',
  appliesTo: ({ platform }, choices) =>
    (choices.platform ?? platform.kind) === 'mke'
      ? true
      : {
          because: 'This is not MKE, whose own overlay uses that port.',
          restsOn: choices.platform ? [] : ['platform'],
        },
  run: (facts) => {
    const port = felixField(facts, 'vxlanPort');
    const evidence = [felixEvidence(facts, 'vxlanPort')];
    // Unset, the operator writes the right one with the switch.
    if (port === undefined || port === null)
      return { kind: 'pass', because: 'The operator sets it with the switch.', evidence };
    if (port !== 4789) return { kind: 'pass', because: `The port is ${String(port)}.`, evidence };
    return {
      kind: 'fail',
      because:
        'FelixConfiguration default says vxlanPort: 4789, which MKE needs itself; the operator does not change it.',
      subjects: [{ ...objectSubject(felixId), detail: 'vxlanPort is 4789' }],
      evidence,
    };
  },
});
