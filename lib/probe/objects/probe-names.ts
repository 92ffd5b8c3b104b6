export const probeNames = {
  namespace: 'signalbox-probe',
  account: 'signalbox-probe',
  /** On the host's network. */
  host: 'signalbox-probe',
  /** On the pod network. */
  pod: 'signalbox-probe-pod',
  /** One container per image. */
  images: 'signalbox-probe-images',
  containers: { host: 'probe', pod: 'probe-pod' },
} as const;
