import type { FlagTable } from '../flags.ts';
import { choiceFlags, outputFlags } from '../global-flags.ts';

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
  ...outputFlags,
} as const satisfies FlagTable;
