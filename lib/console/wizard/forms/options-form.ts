import { z } from 'zod';
import { defineStepForm } from './step-form.ts';

export const optionsForm = defineStepForm({
  schema: z.object({ dsr: z.enum(['no', 'yes'], 'Choose how answers go back to the client.') }),
  read: ({ dsr }) => ({ dsr: dsr ? 'yes' : 'no' }),
  write: ({ dsr }) => ({ dsr: dsr === 'yes' ? true : undefined }),
});
