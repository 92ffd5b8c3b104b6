import { z } from 'zod';
import { readDocument, writeDocument } from '#lib/installation/in-browser.ts';
import { defineStepForm } from './step-form.ts';

/**
 * The Installation as one YAML document, as typed; empty: as proposed. Refuses only what cannot be parsed. What the operator would refuse is saved, so that
 * nothing typed is lost, and reported by `installationProblems`; the step is not ready until it is fixed.
 */
export const resourcesForm = defineStepForm({
  schema: z.object({ yaml: z.string() }).superRefine(({ yaml }, context) => {
    const read = yaml === '' ? null : readDocument(yaml);
    if (read && !read.ok) context.addIssue({ code: 'custom', path: ['yaml'], message: read.problems[0].sentence });
  }),
  read: ({ installation, installationText }) => ({
    yaml: installation === undefined ? '' : writeDocument(installation, installationText),
  }),
  write: ({ yaml }) => {
    const read = yaml === '' ? null : readDocument(yaml);
    return read?.ok
      ? { installation: { ...read.document.spec }, installationText: yaml }
      : { installation: undefined, installationText: undefined };
  },
});
