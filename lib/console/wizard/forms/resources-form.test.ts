import { expect, test } from 'vitest';
import { someChoices } from '#lib/checks/testing/a-facts.ts';
import { resourcesForm } from './resources-form.ts';

const text = `# by Ada
apiVersion: operator.tigera.io/v1
kind: Installation
metadata:
  name: default
spec:
  registry: a/ # the mirror
`;
const none = someChoices();

test('as proposed: nothing is kept', () => {
  expect(resourcesForm.parse({ yaml: '' }, none)).toEqual({
    ok: true,
    answers: { installation: undefined, installationText: undefined },
  });
  expect(resourcesForm.read(none)).toEqual({ yaml: '' });
});

test('what was typed comes back as it was typed', () => {
  const parsed = resourcesForm.parse({ yaml: text }, none);
  if (!parsed.ok) throw new Error('was refused');
  expect(parsed.answers.installation).toEqual({ registry: 'a/' });
  expect(resourcesForm.read({ ...none, ...parsed.answers })).toEqual({ yaml: text });
});

test('a spec that came from elsewhere is shown, and not a text that says something else', () => {
  const { yaml } = resourcesForm.read({ ...none, installation: { registry: 'b/' }, installationText: text });
  expect(yaml).toContain('  registry: b/ # the mirror');
  expect(resourcesForm.read({ ...none, installation: { registry: 'b/' } }).yaml).toContain('  registry: b/\n');
});

test('what cannot be read is refused with its line', () => {
  expect(resourcesForm.parse({ yaml: 'spec: [' }, none)).toEqual({
    ok: false,
    fields: { yaml: expect.stringMatching(/^Line 1: /) },
  });
});
