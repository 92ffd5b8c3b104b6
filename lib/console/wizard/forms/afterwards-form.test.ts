import { expect, test } from 'vitest';
import { someChoices } from '#lib/checks/testing/a-facts.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { afterwardsForm } from './afterwards-form.ts';
import { changesForm, fieldName } from './changes-form.ts';

const mtu = 'kube-system/ConfigMap/calico-config:data.veth_mtu';
const role = 'Node/worker-1:metadata.labels.role';
const before = someChoices({ goal: 'upgrade', changes: { [mtu]: { write: 1420 } } });

test.each<[Record<string, string>, Partial<Choices>]>([
  [{}, { afterwards: undefined, changes: before.changes }],
  [
    { 'host-endpoints': '', 'allow-all-upgrade': '' },
    { afterwards: undefined, changes: before.changes },
  ],
  [
    { 'host-endpoints': 'yes', 'allow-all-upgrade': 'yes', [fieldName('decide', role)]: 'take' },
    { afterwards: ['host-endpoints', 'allow-all-upgrade'], changes: { [mtu]: { write: 1420 }, [role]: 'take' } },
  ],
  // An answer about a label goes with what it was for.
  [
    { 'host-endpoints': '', [fieldName('decide', role)]: 'take' },
    { afterwards: undefined, changes: before.changes },
  ],
  // A change by hand is the other step's.
  [{ 'host-endpoints': 'yes', [fieldName('decide', mtu)]: 'take' }, { changes: before.changes }],
])('%j is kept as the flags of the command line keep it', (fields, kept) => {
  const parsed = afterwardsForm.parse(fields, before);
  expect(parsed).toMatchObject({ ok: true, answers: kept });
  if (!parsed.ok) return;
  const stored = choicesSchema.parse(JSON.parse(JSON.stringify({ ...before, ...parsed.answers })));
  expect(afterwardsForm.parse(afterwardsForm.read(stored), stored)).toEqual(parsed);
});

test('the step of what changes leaves labels of nodes as they were decided', () => {
  const stored = {
    ...before,
    afterwards: ['host-endpoints' as const],
    changes: { [mtu]: 'keep' as const, [role]: 'take' as const },
  };
  expect(changesForm.read(stored)).not.toHaveProperty(fieldName('decide', role));
  expect(changesForm.parse({ [fieldName('decide', mtu)]: 'take' }, stored)).toMatchObject({
    answers: { changes: { [mtu]: 'take', [role]: 'take' } },
  });
});

test.each([
  [{ 'host-endpoints': 'perhaps' }, 'host-endpoints'],
  [{ [fieldName('decide', role)]: 'write' }, fieldName('decide', role)],
])('%j is refused at its field', (fields, name) => {
  expect(afterwardsForm.parse(fields, before)).toEqual({
    ok: false,
    fields: { [name]: expect.stringMatching(/^Choose/) },
  });
});
