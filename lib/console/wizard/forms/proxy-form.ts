import { z } from 'zod';
import { defineStepForm } from './step-form.ts';

/** The operator's own setting in the Installation; `managementChoice` in lib/plan. */
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
    // `--set` may have chosen Disabled, which this form does not offer and keeps.
    const unchanged = found === undefined || found === 'Enabled' ? others : set;
    return {
      automatic: proxy === 'automatic' ? true : undefined,
      // Then the operator finds the API servers itself, and refuses an additional address (calico.md §2.4 no. 12).
      endpoint: proxy === 'automatic' ? undefined : endpoint,
      keepProxy: proxy === 'keep' ? true : undefined,
      set: proxy === 'operator' ? { ...others, [proxyManagement]: 'Enabled' } : unchanged,
      forgetKubeadmProxy: forget === 'yes' && proxy !== 'keep' ? true : undefined,
    };
  },
});
