import { z } from 'zod';
import { defineStepForm } from './step-form.ts';

/** The operator's own switch, as a field of the Installation; lib/plan calls it `managementChoice`. */
const proxyManagement = 'calicoNetwork.kubeProxyManagement';

const proxyStrategies = ['off', 'operator', 'keep', 'automatic'] as const;
export type ProxyStrategy = (typeof proxyStrategies)[number];

export const proxyForm = defineStepForm({
  schema: z.object({
    proxy: z.enum(proxyStrategies, 'Choose what happens to the service proxy.'),
    forget: z.enum(['no', 'yes']),
  }),
  read: ({ keepProxy, automatic, set, forgetKubeadmProxy }) => ({
    proxy: automatic ? 'automatic' : keepProxy ? 'keep' : set[proxyManagement] === 'Enabled' ? 'operator' : 'off',
    forget: forgetKubeadmProxy ? 'yes' : 'no',
  }),
  write: ({ proxy, forget }, { set, endpoint }) => {
    const { [proxyManagement]: found, ...others } = set;
    // Somebody may have asked for Disabled with `--set`; that is no strategy of this form, and stays.
    const kept = found === undefined || found === 'Enabled' ? others : set;
    return {
      automatic: proxy === 'automatic' ? true : undefined,
      // The operator finds the API servers itself then, and refuses to where an address is given (calico.md §2.4 no. 12).
      endpoint: proxy === 'automatic' ? undefined : endpoint,
      keepProxy: proxy === 'keep' ? true : undefined,
      set: proxy === 'operator' ? { ...others, [proxyManagement]: 'Enabled' } : kept,
      forgetKubeadmProxy: forget === 'yes' && proxy !== 'keep' ? true : undefined,
    };
  },
});
