import { expect, test } from 'vitest';
import { someChoices } from '#lib/checks/testing/a-facts.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { type FormStepId, stepForms } from './forms.ts';

const none = someChoices({ endpoint: undefined });
const fromPublic = { release: 'v3.31.4', from: 'public', mirror: '', files: '', airGapped: 'no', customResources: '' };
const fromMirror = { release: 'v3.31.4', from: 'mirror', mirror: '', files: '', airGapped: 'no', customResources: '' };

const answers: [FormStepId, Record<string, string>, Partial<Choices>][] = [
  ['goal', { goal: 'enable' }, { goal: 'enable' }],
  ['platform', { platform: 'k3s' }, { platform: 'k3s' }],
  ['platform', { platform: 'detected' }, { platform: undefined }],
  [
    'endpoint',
    { by: 'address', host: ' api.example.com ', port: ' 6443 ' },
    { endpoint: { host: 'api.example.com', port: '6443' } },
  ],
  ['endpoint', { by: 'address', host: '', port: '' }, { endpoint: undefined }],
  [
    'endpoint',
    { by: 'address', host: 'https://10.0.0.1/', port: '443' },
    { endpoint: { host: 'https://10.0.0.1/', port: '443' } },
  ],
  ['proxy', { proxy: 'off', forget: 'no' }, { keepProxy: undefined, forgetKubeadmProxy: undefined, set: {} }],
  ['proxy', { proxy: 'off', forget: 'yes' }, { keepProxy: undefined, forgetKubeadmProxy: true, set: {} }],
  ['proxy', { proxy: 'keep', forget: 'yes' }, { keepProxy: true, forgetKubeadmProxy: undefined, set: {} }],
  [
    'proxy',
    { proxy: 'operator', forget: 'no' },
    { keepProxy: undefined, forgetKubeadmProxy: undefined, set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } },
  ],
  ['endpoint', { by: 'operator', host: '', port: '' }, { automatic: true, endpoint: undefined }],
  ['proxy', { proxy: 'automatic', forget: 'no' }, { automatic: true, endpoint: undefined, set: {} }],
  ['options', { dataplane: 'BPF', dsr: 'yes' }, { dsr: true }],
  [
    'release',
    { release: 'v3.31.4', from: 'public', mirror: '', files: '', airGapped: 'no', customResources: '' },
    { release: 'v3.31.4', source: undefined, airGapped: undefined },
  ],
  [
    'release',
    {
      release: 'v3.31.4',
      from: 'mirror',
      mirror: 'https://m.example.com/calico',
      files: '',
      airGapped: 'no',
      customResources: '',
    },
    { release: 'v3.31.4', source: 'https://m.example.com/calico' },
  ],
  [
    'release',
    { release: 'v3.31.4', from: 'files', mirror: '', files: '/srv/calico', airGapped: 'yes', customResources: '' },
    { release: 'v3.31.4', source: '/srv/calico', airGapped: true },
  ],
  [
    'release',
    { ...fromPublic, customResources: 'kind: Installation' },
    { release: 'v3.31.4', customResources: 'kind: Installation' },
  ],
  ['release', { ...fromPublic, customResources: ' \n' }, { release: 'v3.31.4', customResources: undefined }],
  ['compatibility', {}, {}],
];

test.each(answers)('%s %j is kept as %j', (step, fields, stored) => {
  expect(stepForms[step].parse(fields, none)).toEqual({ ok: true, answers: stored });
});

test('the standard data plane takes automatic mode back, which is a way to eBPF alone', () => {
  const automatic = someChoices({ goal: 'install', endpoint: undefined, automatic: true });
  const after = (dataplane: string) => {
    const parsed = stepForms.options.parse({ dataplane, dsr: 'no' }, automatic);
    return parsed.ok && { ...automatic, ...parsed.answers }.automatic;
  };
  expect([after('BPF'), after('Iptables')]).toEqual([true, undefined]);
});

test.each(answers)('%s %j fills the form again as the same answer', (step, fields) => {
  const parsed = stepForms[step].parse(fields, none);
  if (!parsed.ok) throw new Error('was refused');
  const stored = choicesSchema.parse(JSON.parse(JSON.stringify({ ...none, ...parsed.answers })));
  expect(stepForms[step].parse(stepForms[step].read(stored), stored)).toEqual(parsed);
});

test.each<[FormStepId, unknown, Record<string, RegExp>]>([
  ['goal', {}, { goal: /Choose/ }],
  ['goal', { goal: 'sabotage' }, { goal: /Choose/ }],
  ['platform', { platform: ['kubeadm'] }, { platform: /Choose a platform/ }],
  ['endpoint', { by: 'address', host: 'api.example.com', port: '' }, { port: /Enter the port/ }],
  ['endpoint', { by: 'address', host: '', port: '6443' }, { host: /beside the port/ }],
  ['endpoint', { by: 'address', host: 'a', port: '65536' }, { port: /"65536" is not a port/ }],
  ['endpoint', { by: 'address', host: 'a', port: '0443' }, { port: /"0443" is not a port/ }],
  ['endpoint', { by: 'address', host: 'a'.repeat(300), port: 'x' }, { host: /at most 253/, port: /"x" is not a port/ }],
  ['proxy', { proxy: 'whatever', forget: 'no' }, { proxy: /Choose what happens/ }],
  [
    'release',
    { release: '3.31', from: 'public', mirror: '', files: '', airGapped: 'no', customResources: '' },
    { release: /v3\.31\.4/ },
  ],
  ['release', { ...fromMirror, mirror: '' }, { mirror: /address of the mirror/ }],
  ['release', { ...fromMirror, mirror: 'ftp://m.example.com' }, { mirror: /https:/ }],
  ['release', { ...fromMirror, mirror: 'https://me:secret@m.example.com' }, { mirror: /without a name or password/ }],
  ['release', { ...fromMirror, from: 'files', files: 'calico' }, { files: /begins with a slash/ }],
])('%s %j is refused at its field', (step, fields, wrong) => {
  const parsed = stepForms[step].parse(fields, none);
  expect(parsed).toEqual({
    ok: false,
    fields: Object.fromEntries(Object.entries(wrong).map(([name, message]) => [name, expect.stringMatching(message)])),
  });
});

test('what --set asked for beside the strategy stays, and so does a management that was turned off', () => {
  const set = { 'calicoNetwork.mtu': 1400, 'calicoNetwork.kubeProxyManagement': 'Disabled' };
  const off = stepForms.proxy.parse({ proxy: 'off', forget: 'no' }, { ...none, set });
  expect(off).toMatchObject({ ok: true, answers: { set } });
  const managed = stepForms.proxy.parse({ proxy: 'operator', forget: 'no' }, { ...none, set });
  expect(managed).toMatchObject({
    ok: true,
    answers: { set: { ...set, 'calicoNetwork.kubeProxyManagement': 'Enabled' } },
  });
});

test('the standard data plane is for a new installation, and stands in its edited Installation too', () => {
  const installation = { variant: 'Calico', calicoNetwork: { linuxDataplane: 'BPF', mtu: 1400 } };
  const values = { dataplane: 'Iptables', dsr: 'yes' };
  const install = { ...none, goal: 'install' as const };
  expect(stepForms.options.parse(values, { ...install, installation })).toMatchObject({
    ok: true,
    answers: {
      dataplane: 'Iptables',
      dsr: undefined,
      installation: { variant: 'Calico', calicoNetwork: { linuxDataplane: 'Iptables', mtu: 1400 } },
    },
  });
  expect(stepForms.options.parse(values, none)).toMatchObject({ ok: true, answers: { dataplane: undefined } });
});
