import { z } from 'zod';
import { proxyManagementSetting } from '#lib/spec/choices.ts';
import { defineStepForm } from './step-form.ts';

const proxyStrategies = ['off', 'operator', 'keep', 'automatic'] as const;
export type ProxyStrategy = (typeof proxyStrategies)[number];

export const proxyForm = defineStepForm({
  schema: z.object({
    proxy: z.enum(proxyStrategies, 'Choose what happens to the service proxy.'),
    forget: z.enum(['no', 'yes']),
  }),
  read: ({ keepProxy, automatic, set, forgetKubeadmProxy }) => ({
    proxy: automatic
      ? 'automatic'
      : keepProxy
        ? 'keep'
        : set[proxyManagementSetting] === 'Enabled'
          ? 'operator'
          : 'off',
    forget: forgetKubeadmProxy ? 'yes' : 'no',
  }),
  write: ({ proxy, forget }, { set, endpoint }) => {
    const { [proxyManagementSetting]: found, ...others } = set;
    // `--set` may have chosen Disabled, which this form does not offer and keeps.
    const unchanged = found === undefined || found === 'Enabled' ? others : set;
    return {
      automatic: proxy === 'automatic' ? true : undefined,
      // Then the operator finds the API servers itself, and refuses an additional address (calico.md §2.4 no. 12).
      endpoint: proxy === 'automatic' ? undefined : endpoint,
      keepProxy: proxy === 'keep' ? true : undefined,
      set: proxy === 'operator' ? { ...others, [proxyManagementSetting]: 'Enabled' } : unchanged,
      forgetKubeadmProxy: forget === 'yes' && proxy !== 'keep' ? true : undefined,
    };
  },
});
