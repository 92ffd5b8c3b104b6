import { parseRelease } from '#lib/spec/index.ts';
import { usageError } from '../exit.ts';
import type { Flags, FlagTable } from '../flags.ts';
import { choiceFlags, outputIn } from '../global-flags.ts';

export const releaseFlags = {
  source: choiceFlags.source,
  'air-gapped': choiceFlags['air-gapped'],
  openshift: { help: "use OpenShift's bundle instead of the manifests" },
  kubernetes: { value: 'VERSION', help: 'list, show: for this version of Kubernetes' },
  registry: { value: 'HOST/', help: 'images, render: registry to pull images from; ends in a slash' },
  'image-path': { value: 'PATH', help: 'images, render: path of the images, in place of calico or tigera' },
  'image-prefix': { value: 'PREFIX', help: 'images, render: prefix for the name of each image' },
  'pull-secret': { value: 'NAME', many: true, help: 'render: Secret in namespace tigera-operator; may be repeated' },
  manifest: { value: 'FILE', help: 'images, fetch: for an installation by this manifest, such as calico.yaml' },
  file: { value: 'FILE', help: 'render: only this file' },
  to: { value: 'DIR', help: 'fetch: the folder to write to (default: the one you are in)' },
  ...outputIn('table (default), json or yaml; render: yaml (default), json or table'),
} as const satisfies FlagTable;

/** `--kubernetes`, as the API server or a person writes it: `v1.34.2+k3s1`, `1.34`; null if it is not given. */
export function kubernetesFromFlag(flags: Flags): string | null {
  const text = flags.text('kubernetes');
  if (text === undefined) return null;
  if (parseRelease(text) === null)
    throw usageError(
      `--kubernetes: ${JSON.stringify(text)} is not a version of Kubernetes; write it as v1.34 or v1.34.2`,
    );
  return text;
}
