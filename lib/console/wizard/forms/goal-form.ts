import { z } from 'zod';
import { goals } from '#lib/spec/choices.ts';
import { defineStepForm } from './step-form.ts';

export const goalForm = defineStepForm({
  schema: z.object({ goal: z.enum(goals, 'Choose what should happen.') }),
  read: ({ goal }) => ({ goal }),
  write: ({ goal }) => ({ goal }),
});
