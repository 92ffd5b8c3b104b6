import { z } from 'zod';
import { platformKinds } from '#lib/spec/choices.ts';
import { defineStepForm } from './step-form.ts';

export const asDetected = 'detected' as const;

/** Stores nothing if the detected platform is chosen, so that a later detection counts. */
export const platformForm = defineStepForm({
  schema: z.object({ platform: z.enum([asDetected, ...platformKinds], 'Choose a platform, or leave it as detected.') }),
  read: ({ platform }) => ({ platform: platform ?? asDetected }),
  write: ({ platform }) => ({ platform: platform === asDetected ? undefined : platform }),
});
