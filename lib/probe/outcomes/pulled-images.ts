import { type KubeObject, podStatusOf, type TestOutcome } from '#lib/kube/index.ts';

/** The outcome from the kubelet's status of each container; null: some images are still being pulled. */
export function pulledImages(pod: KubeObject, images: readonly string[]): TestOutcome | null {
  const states = podStatusOf(pod).status.containerStatuses.map(({ name, state }) => ({
    image: images[Number(name.replace(/^image-/, ''))] ?? images[0] ?? name,
    ...state.waiting,
  }));
  const refused = states.find(({ reason }) => pullFaults.has(reason ?? ''));
  if (refused !== undefined)
    return { kind: 'failed', because: `${refused.image}: ${refused.message ?? refused.reason}` };
  const isPulled = states.length >= images.length && states.every(({ reason }) => !underWay.has(reason ?? ''));
  return isPulled ? { kind: 'passed' } : null;
}

const underWay: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** The kubelet's reasons for images that cannot be pulled (kubernetes/kubernetes pkg/kubelet/images/types.go, read 2026-11-23). */
const pullFaults: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
