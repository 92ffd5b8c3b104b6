/** Entries of `resources.objects`: FelixConfiguration and Installation with this spec. */

export const felix = (spec: Record<string, unknown>) => ({
  'FelixConfiguration/default': {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name: 'default' },
    spec,
  },
});

export const installation = (spec: Record<string, unknown>) => ({
  'Installation/default': {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec,
  },
});
