import { z } from 'zod';
import type { PlatformKind } from '#lib/spec/index.ts';
import { defineStepForm } from './step-form.ts';

// Written out again, and held to the same type: lib/spec reads addresses with Node, and this goes to the browser.
export const platformNames = [
  'kubeadm',
  'kops',
  'openshift',
  'aks',
  'eks',
  'gke',
  'tkg',
  'rke',
  'rke2',
  'k3s',
  'mke',
  'kind',
  'talos',
  'generic',
] as const satisfies readonly PlatformKind[];

export const asDetected = 'detected' as const;

/** Nothing is stored while the platform is as it was detected: what is detected later then counts. */
export const platformForm = defineStepForm({
  schema: z.object({ platform: z.enum([asDetected, ...platformNames], 'Choose a platform, or leave it as detected.') }),
  read: ({ platform }) => ({ platform: platform ?? asDetected }),
  write: ({ platform }) => ({ platform: platform === asDetected ? undefined : platform }),
});
