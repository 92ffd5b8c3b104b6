import { expect, test } from 'vitest';
import { someChoices } from '#lib/checks/testing/a-facts.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { changesForm, fieldMeaning, fieldName } from './changes-form.ts';
import { releaseForm } from './release-form.ts';

const mtu = 'kube-system/ConfigMap/calico-config:data.veth_mtu';
const odd = 'kube-system/DaemonSet/calico-node:spec.containers[a=b].env[Größe "1"].value';
const none = someChoices({ goal: 'upgrade' });
const parse = (fields: Record<string, string>) => changesForm.parse(fields, none);

test.each<[Record<string, string>, Partial<Choices>]>([
  [{ [fieldName('decide', mtu)]: 'keep', chart: '' }, { changes: { [mtu]: 'keep' } }],
  [{ [fieldName('decide', odd)]: 'take' }, { changes: { [odd]: 'take' } }],
  [{ [fieldName('decide', mtu)]: 'write', [fieldName('value', mtu)]: '1430' }, { changes: { [mtu]: { write: 1430 } } }],
  [
    { [fieldName('decide', mtu)]: 'write', [fieldName('value', mtu)]: '{"memory":"1Gi"}' },
    { changes: { [mtu]: { write: { memory: '1Gi' } } } },
  ],
  // A value that was typed before another answer was chosen.
  [{ [fieldName('decide', mtu)]: 'keep', [fieldName('value', mtu)]: '1430' }, { changes: { [mtu]: 'keep' } }],
  [{ [fieldName('decide', mtu)]: '' }, { changes: undefined }],
  [{ [fieldName('remove', 'kube-system/ConfigMap/old')]: 'yes' }, { remove: ['kube-system/ConfigMap/old'] }],
  [{ chart: ' /srv/chart ' }, { chart: '/srv/chart' }],
])('%j is kept as the flags of the command line keep it', (fields, kept) => {
  const parsed = parse(fields);
  expect(parsed).toMatchObject({ ok: true, answers: kept });
  if (!parsed.ok) return;
  const stored = choicesSchema.parse(JSON.parse(JSON.stringify({ ...none, ...parsed.answers })));
  expect(changesForm.parse(changesForm.read(stored), stored)).toEqual(parsed);
});

test.each<[Record<string, string>, string, RegExp]>([
  [{ [fieldName('decide', mtu)]: 'write' }, fieldName('value', mtu), /Enter the value/],
  [{ [fieldName('decide', mtu)]: 'sabotage' }, fieldName('decide', mtu), /Choose/],
  [{ chart: './chart' }, 'chart', /full path/],
  [{ chart: 'my chart' }, 'chart', /No spaces/],
  [{ chart: '--post-renderer=x' }, 'chart', /Enter where the chart is/],
])('%j is refused at its field', (fields, name, message) => {
  expect(parse(fields)).toEqual({ ok: false, fields: { [name]: expect.stringMatching(message) } });
});

test('a name that nobody made so is about nothing', () => {
  expect(parse({ 'decide-***': 'keep', 'decide-_w': 'keep' })).toMatchObject({
    ok: true,
    answers: { changes: undefined },
  });
});

test('a field is called by its change', () => {
  expect([fieldMeaning(fieldName('decide', mtu)), fieldMeaning('chart')]).toEqual(['data.veth_mtu', 'chart']);
});

test('decisions about the file of one release do not stand for that of another', () => {
  const decided = someChoices({ release: 'v3.31.4', changes: { 'ConfigMap/x:data.a': 'keep' }, remove: ['Role/x'] });
  const stored = releaseForm.read(decided);
  const parsed = (release: string) => releaseForm.parse({ ...stored, release }, decided);
  expect(parsed('v3.31.7')).toMatchObject({ ok: true, answers: { changes: undefined, remove: undefined } });
  expect(Object.keys((parsed('v3.31.7') as { answers: object }).answers)).toContain('changes');
  expect(Object.keys((parsed('v3.31.4') as { answers: object }).answers)).not.toContain('changes');
});
