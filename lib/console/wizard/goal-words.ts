import type { Goal } from '#lib/spec/index.ts';

/** What each goal does, in the wizard and in the title of its run. */
export const goalWords = {
  install: 'Install Calico',
  enable: 'Enable eBPF',
  upgrade: 'Upgrade Calico',
  undo: 'Undo a run',
  restore: 'Restore kube-proxy',
  'flow-logs': 'Turn flow logs on',
  policy: 'Make a policy',
} as const satisfies Record<Goal, string>;
