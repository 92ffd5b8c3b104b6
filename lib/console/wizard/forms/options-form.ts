import { z } from 'zod';
import type { Answers } from '../answers.ts';
import { defineStepForm } from './step-form.ts';

/** *install* also asks for the data plane; for other goals the goal decides it. */
export const optionsForm = defineStepForm({
  schema: z.object({
    dataplane: z.enum(['BPF', 'Iptables'], 'Choose the data plane.'),
    dsr: z.enum(['no', 'yes'], 'Choose how replies return to the client.'),
  }),
  read: ({ dataplane, dsr }) => ({ dataplane: dataplane ?? 'BPF', dsr: dsr ? 'yes' : 'no' }),
  write: ({ dataplane, dsr }, answers) => {
    const isStandard = answers.goal === 'install' && dataplane === 'Iptables';
    return {
      dataplane: isStandard ? 'Iptables' : undefined,
      dsr: dsr === 'yes' && !isStandard ? true : undefined,
      // Automatic mode is only for eBPF; a plan with both would be refused.
      ...(isStandard ? { automatic: undefined } : {}),
      ...(answers.installation === undefined
        ? {}
        : { installation: withDataplane(answers.installation, isStandard ? 'Iptables' : 'BPF') }),
    };
  },
});

/** Writes the data plane into the edited Installation too, so that both agree. */
function withDataplane(
  installation: NonNullable<Answers['installation']>,
  linuxDataplane: 'BPF' | 'Iptables',
): NonNullable<Answers['installation']> {
  const { calicoNetwork } = installation;
  const network = typeof calicoNetwork === 'object' && calicoNetwork !== null ? calicoNetwork : {};
  if (calicoNetwork !== undefined && calicoNetwork !== network) return installation;
  return { ...installation, calicoNetwork: { ...network, linuxDataplane } };
}
