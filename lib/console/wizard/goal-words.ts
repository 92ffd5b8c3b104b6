export const goalWords = {
  install: 'Install Calico',
  enable: 'Enable eBPF',
  upgrade: 'Upgrade Calico',
  undo: 'Undo a run',
  restore: 'Restore kube-proxy',
  'flow-logs': 'Turn flow logs on',
  policy: 'Make a policy',
} as const;
