import { podKindsOf } from './pod-kinds.ts';
import type { ProbeSettings } from './settings.ts';

type Pods = Pick<ProbeSettings, 'addresses' | 'podNetwork' | 'images'>;

/** One client creates the pods of all DaemonSets, 20 a second (kube-controller-manager › --kube-api-qps): the wait of the last pod, and some more. */
const madeWithinMs = (settings: Pods) => 60 * settings.addresses.length * podKindsOf(settings).length;

/**
 * The time that a pod has to remove its devices. The namespace controller waits half of it before it looks again (kubernetes
 * pkg/controller/namespace: syncNamespaceFromKey).
 */
export const secondsToEnd = 3;

/** How long pods test before they only wait to be deleted; with many nodes the last pods start late. */
export const secondsToLive = (settings: Pods) => 300 + Math.ceil(madeWithinMs(settings) / 1_000);

/** How long nodes may take to report by default, in ms: images may have to be pulled, and creating many pods takes time. */
export const usualPatienceMs = (settings: Pods) => 180_000 + madeWithinMs(settings);
