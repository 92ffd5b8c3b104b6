import { zodResolver } from '@hookform/resolvers/zod';
import { createFormControl } from 'react-hook-form';
import { expect, test } from 'vitest';
import { fieldName, stepForms, type Values } from '#lib/console/wizard/index.ts';
import { decideAll } from './decide-all.ts';

const changes = Array.from({ length: 300 }, (_, index) => ({ id: `ConfigMap/calico-config:data.of-${index}` }));
const names = changes.map(({ id }) => fieldName('decide', id));

/** The form of the step as the wizard has it, and nothing decided. */
function aForm() {
  const schema = zodResolver(stepForms.changes.schema);
  const counted = { validated: 0, reported: [] as Values[] };
  const form = createFormControl<Values>({
    resolver: (...given) => {
      counted.validated++;
      return schema(...given);
    },
    defaultValues: { chart: '' },
    mode: 'onTouched',
  });
  form.subscribe({
    formState: { values: true, dirtyFields: true, touchedFields: true, errors: true },
    callback: ({ values }) => counted.reported.push({ ...values }),
  });
  return { form, counted };
}

test('one press answers all of 300 changes, and the form is validated and kept once', async () => {
  const { form, counted } = aForm();
  decideAll(form, changes, 'take');
  await Promise.resolve();
  const answers = Object.fromEntries(names.map((name) => [name, 'take']));
  expect(form.getValues()).toEqual({ chart: '', ...answers });
  expect(counted.validated).toBe(1);
  const kept = counted.reported.filter((values) => names.some((name) => values[name] === 'take'));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(3);
  expect(kept.every((values) => names.every((name) => values[name] === 'take'))).toBe(true);
});

test('a value that was to be written and is missing is no fault any more once all are kept', async () => {
  const { form } = aForm();
  const [name = ''] = names;
  form.setValue(name, 'write', { shouldDirty: true, shouldTouch: true });
  expect(await form.trigger()).toBe(false);
  decideAll(form, changes, 'keep');
  expect(await form.trigger()).toBe(true);
  expect(form.getFieldState(name).isDirty).toBe(true);
});
