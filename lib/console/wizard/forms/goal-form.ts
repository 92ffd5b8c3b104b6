import { z } from 'zod';
import type { Goal } from '#lib/spec/index.ts';
import { defineStepForm } from './step-form.ts';

// Written out again, and held to the same type: lib/spec reads addresses with Node, and this goes to the browser.
export const goalNames = ['install', 'enable', 'upgrade', 'undo'] as const satisfies readonly Goal[];

export const goalForm = defineStepForm({
  schema: z.object({ goal: z.enum(goalNames, 'Choose what should happen.') }),
  read: ({ goal }) => ({ goal }),
  write: ({ goal }) => ({ goal }),
});
