import type { FlagTable } from '../flags.ts';
import { choiceFlags, outputFlags } from '../global-flags.ts';

export const releaseFlags = {
  source: choiceFlags.source,
  'air-gapped': choiceFlags['air-gapped'],
  openshift: { help: "OpenShift's own bundle in the place of the manifests" },
  kubernetes: { value: 'VERSION', help: 'list, show: the version of Kubernetes that it is for' },
  registry: { value: 'HOST/', help: 'images, render: where images are pulled from; ends in a slash' },
  'image-path': { value: 'PATH', help: "images, render: in the place of the images' own path (calico, tigera)" },
  'image-prefix': { value: 'PREFIX', help: 'images, render: before the name of each image' },
  'pull-secret': { value: 'NAME', many: true, help: 'render: Secret in namespace tigera-operator; may be repeated' },
  manifest: { value: 'FILE', help: 'images, fetch: of an installation by this manifest, such as calico.yaml' },
  file: { value: 'FILE', help: 'render: only this file' },
  to: { value: 'DIR', help: 'fetch: the folder to write to (default: the one you are in)' },
  ...outputFlags,
} as const satisfies FlagTable;
