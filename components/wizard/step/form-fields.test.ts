import { zodResolver } from '@hookform/resolvers/zod';
import { createFormControl } from 'react-hook-form';
import { expect, test } from 'vitest';
import { fieldName, stepForms, type Values } from '#lib/console/wizard/index.ts';
import { formFields } from './form-fields.ts';

const changes = Array.from({ length: 600 }, (_, index) => `ConfigMap/calico-config:data.of-${index}`);
const decisions = changes.map((change) => fieldName('decide', change));
const [decided = '', other = ''] = decisions;
const written = fieldName('value', changes[0] ?? '');

/** The form of a step with many changes, each of which listens for its answer. */
function aForm() {
  const shown = { chart: '', [other]: 'take' };
  const form = createFormControl<Values>({
    resolver: zodResolver(stepForms.changes.schema),
    defaultValues: shown,
    mode: 'onTouched',
  });
  const fields = formFields(form, shown);
  const notified = new Set<string>();
  const ends = [...decisions, written].map((name) => fields.subscribe(name, () => void notified.add(name)));
  return { form, fields, told: notified, ends };
}

test('an answer to one of 600 is told to that one', () => {
  const { form, fields, told: notified } = aForm();
  fields.give(decided, 'keep');
  expect([...notified]).toEqual([decided]);
  expect([fields.now.value(decided), fields.now.value(other)]).toEqual(['keep', 'take']);
  expect([fields.now.isEdited(decided), fields.now.isEdited(other)]).toEqual([true, false]);
  expect(form.getValues()).toEqual({ chart: '', [decided]: 'keep', [other]: 'take' });
});

test('other values for all, as of another tab, are told to all', () => {
  const { form, fields, told: notified } = aForm();
  form.reset({ chart: '', [decided]: 'take' });
  expect(notified.size).toBe(601);
  expect([fields.now.value(decided), fields.now.value(other)]).toEqual(['take', undefined]);
  expect([fields.first.value(decided), fields.first.value(other)]).toEqual([undefined, 'take']);
});

test('a value that is missing is told once its field is left, and then as soon as it is there', async () => {
  const { fields, told: notified } = aForm();
  fields.give(decided, 'write');
  await Promise.resolve();
  expect(fields.now.error(written)).toBeUndefined();
  fields.leave(written);
  await expect.poll(() => fields.now.error(written)).toBe('Enter the value to write.');
  fields.give(written, '1420');
  await expect.poll(() => fields.now.error(written)).toBeUndefined();
  expect([...notified]).toEqual([decided, written]);
});

test('who no longer listens is told nothing, and who listens again is', () => {
  const { fields, told: notified, ends } = aForm();
  for (const end of [...ends, ...ends]) end();
  fields.give(decided, 'keep');
  expect(notified.size).toBe(0);
  const end = fields.subscribe(decided, () => void notified.add('again'));
  fields.give(decided, 'take');
  end();
  fields.give(decided, 'keep');
  expect([...notified]).toEqual(['again']);
});
