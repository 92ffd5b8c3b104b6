import { expect, test } from 'vitest';
import { type Choices, type ManifestObject, resources } from '#lib/spec/index.ts';
import { touchesTraffic } from '../../changes.ts';
import { fieldAt } from '../../objects/field.ts';
import { parsePlan } from '../../parse-plan.ts';
import { planUndo } from '../../plan-undo.ts';
import { isAway, type Manifest, upgradeOf, written } from '../../testing/manifest-upgrade.ts';
import { legsOfUpgrade, wayOfUpgrade } from '../way-of-upgrade.ts';

const journey = [
  'snapshot',
  'crds',
  'fields.adopt',
  'manifest.apply',
  'release.active',
  'verify.pods',
  'verify.version',
  'verify.services',
];

test.skipIf(isAway).each<[Manifest, string, string]>([
  ['calico', 'v3.30.7', 'v3.31.4'],
  ['calico', 'v3.30.7', 'v3.31.7'],
  ['canal', 'v3.30.7', 'v3.31.4'],
  ['policy-only', 'v3.30.7', 'v3.31.4'],
])(
  '%s %s to %s: kinds, fields, objects, a wait, and a way back; a plan is read again as it was made',
  (manifest, from, to) => {
    const plan = upgradeOf({ manifest, from, to });
    expect(plan.operations.map(({ id }) => id)).toEqual(journey);
    expect(wayOfUpgrade(plan)).toEqual({ from, to, hops: 1 });
    expect(plan.operations.filter(touchesTraffic).map(({ id }) => id)).toEqual(['manifest.apply']);
    const apply = plan.operations.find(({ id }) => id === 'manifest.apply');
    expect(apply?.why).toContain('The earlier one was not changed by hand.');
    const text = JSON.parse(JSON.stringify(plan));
    expect(JSON.parse(JSON.stringify(parsePlan(text)))).toEqual(text);
    const back = planUndo(
      plan,
      plan.operations.map(({ seq }) => seq),
      null,
    );
    expect(back.map(({ title }) => title)).toEqual([
      `Bring the earlier objects back, and wait until ${from} runs on all 3 nodes`,
      expect.stringMatching(new RegExp(`^Bring the \\d+ kinds back to ${from}$`)),
    ]);
  },
);

test.skipIf(isAway)('where UIDs change, the way back to owners says which file this plan leaves to you', () => {
  const reference = { apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicy', name: 'default.cart', uid: 'a' };
  const settings = { resource: resources.configMaps, namespace: 'shop', name: 'settings', uid: 'b' };
  const dependants = [{ ...settings, references: [reference], writers: [] }];
  const { operations } = upgradeOf({ from: 'v3.27.5', to: 'v3.30.7', kinds: 'left-out', dependants });
  expect(operations.find(({ id }) => id === 'owner-refs.restore')?.why).toContain(
    '`kubectl apply -f https://raw.githubusercontent.com/projectcalico/calico/v3.30.7/manifests/apiserver.yaml`',
  );
});

const agent = (change: (pod: Record<string, unknown>) => unknown) => (object: ManifestObject) => {
  if (object.kind !== 'DaemonSet') return object;
  const copy = structuredClone(object);
  change(fieldAt(copy, ['spec', 'template', 'spec']) as Record<string, unknown>);
  return copy;
};
const podSpec = ['spec', 'template', 'spec'];

test.skipIf(isAway)('manual changes stay on top of the new file unless they are given up', () => {
  const change = agent((pod) => Object.assign(pod, { priorityClassName: 'mine' }));
  const changed = upgradeOf({ change });
  const priority = ['spec', 'template', 'spec', 'priorityClassName'];
  expect(fieldAt(written(changed, 'DaemonSet'), priority)).toBe('mine');
  const id = 'kube-system/DaemonSet/calico-node:spec.template.spec.priorityClassName';
  const taken = upgradeOf({ change, choices: { changes: { [id]: 'take' } } });
  expect(fieldAt(written(taken, 'DaemonSet'), priority)).toBe('system-node-critical');
  expect(() => upgradeOf({ change, choices: { changes: { nothing: 'take' } } })).toThrow(
    '"nothing" is not a manual change',
  );
  const ofNode = { 'Node/n1:metadata.labels.role': 'take' as const };
  expect(() => upgradeOf({ change, choices: { changes: ofNode } })).toThrow('is not a manual change');
});

test.skipIf(isAway)(
  'by way of another release the file is applied twice, with what was decided of each change, and the way back goes by it',
  () => {
    const change = (object: ManifestObject) => {
      if (object.kind === 'ConfigMap')
        return { ...object, data: { ...(object.data as object), veth_mtu: '8900', mine: 'x' } };
      return agent((pod) => Object.assign(pod, { priorityClassName: 'mine' }))(object);
    };
    const config = 'kube-system/ConfigMap/calico-config:data';
    const decided: Partial<Choices> = {
      changes: { [`${config}.mine`]: 'take', [`${config}.veth_mtu`]: { write: '9000' } },
    };
    const plan = upgradeOf({ from: 'v3.27.5', through: ['v3.30.7'], change, choices: decided, kinds: 'left-out' });
    // Its fields are ours by the first.
    expect(plan.operations.map(({ id }) => id).slice(0, 6)).toEqual([
      ...['snapshot', 'fields.adopt', 'manifest.apply', 'release.active', 'manifest.apply', 'release.active'],
    ]);
    const applied = plan.operations.filter(({ id }) => id === 'manifest.apply');
    const images = applied.map((one) =>
      fieldAt(written({ operations: [one] }, 'DaemonSet'), [...podSpec, 'containers', '0', 'image']),
    );
    expect(images).toEqual(['docker.io/calico/node:v3.30.7', 'quay.io/calico/node:v3.31.4']);
    for (const one of applied) {
      expect(written({ operations: [one] }, 'ConfigMap')).toMatchObject({ data: { veth_mtu: '9000' } });
      expect(fieldAt(written({ operations: [one] }, 'DaemonSet'), [...podSpec, 'priorityClassName'])).toBe('mine');
    }
    expect(JSON.stringify(applied[0]?.act)).toContain('"body":{"data":{"mine":null}}');
    expect(JSON.stringify(applied[1]?.act)).not.toContain('"mine":null');
    // Only the first apply guards fields that were read: the second one changes what the first writes, which nobody has read yet.
    expect(applied.map(({ reads }) => reads.length > 0)).toEqual([true, false]);
    expect(legsOfUpgrade(plan)).toMatchObject({
      from: 'v3.27.5',
      to: [{ version: 'v3.30.7' }, { version: 'v3.31.4' }],
    });
    const seqs = plan.operations.map(({ seq }) => seq);
    expect(planUndo(plan, seqs, null).map(({ title }) => title)).toEqual([
      'Bring the earlier objects back, and wait until v3.30.7 runs on all 3 nodes',
      'Bring the earlier objects back, and wait until v3.27.5 runs on all 3 nodes',
    ]);
    const copy = JSON.parse(JSON.stringify(plan));
    expect(JSON.parse(JSON.stringify(parsePlan(copy)))).toEqual(copy);
    expect(() =>
      upgradeOf({ through: ['v3.30.7'], from: 'v3.27.5', choices: { changes: { nothing: 'take' } } }),
    ).toThrow('"nothing" is not a manual change');
  },
);

test.skipIf(isAway)('a mirror reaches every container of the new release, and none of the old one comes along', () => {
  const mirror = (list: unknown) =>
    (list as { image: string }[]).map((one) => ({ ...one, image: one.image.replace(/^[^/]+/, 'mirror.example') }));
  const change = agent((pod) =>
    Object.assign(pod, { containers: mirror(pod.containers), initContainers: mirror(pod.initContainers) }),
  );
  const lists = ['containers', 'initContainers'].map((list) => {
    const found = fieldAt(written(upgradeOf({ change }), 'DaemonSet'), ['spec', 'template', 'spec', list]);
    return (found as { name: string; image: string }[]).map(({ name, image }) => `${name} ${image}`);
  });
  expect(lists.flat()).toEqual([
    'calico-node mirror.example/calico/node:v3.31.4',
    'upgrade-ipam mirror.example/calico/cni:v3.31.4',
    'install-cni mirror.example/calico/cni:v3.31.4',
    'ebpf-bootstrap mirror.example/calico/node:v3.31.4',
  ]);
});

test.skipIf(isAway)('a key that the new file no longer has goes, and comes back with the undo', () => {
  const plan = upgradeOf({
    change: (object) =>
      object.kind === 'ConfigMap' ? { ...object, data: { ...(object.data as object), mine: 'x' } } : object,
    choices: { changes: { 'kube-system/ConfigMap/calico-config:data.mine': 'take' } },
  });
  const apply = plan.operations.find(({ id }) => id === 'manifest.apply');
  expect(JSON.stringify(apply?.act)).toContain('"body":{"data":{"mine":null}}');
  expect(JSON.stringify(apply?.undo?.act)).toContain('"mine":"x"');
  expect(() => parsePlan(JSON.parse(JSON.stringify(plan)))).not.toThrow();
});

test.skipIf(isAway)('without the file of the release that runs it is said that two were compared', () => {
  const plan = upgradeOf({ running: null });
  const apply = plan.operations.find(({ id }) => id === 'manifest.apply');
  expect(apply?.why).toContain('calico.yaml of the release that runs is not at hand');
});

test.skipIf(isAway)('a value that looks like a secret is in no plan, and stops this one', () => {
  const change = agent((pod) => {
    const [container] = pod.containers as { env: object[] }[];
    container?.env.push({ name: 'PROXY_PASSWORD', value: '‹masked: looks like a credential›' });
  });
  expect(() => upgradeOf({ change })).toThrow('has a value that looks like a secret');
  const masked = (object: ManifestObject) =>
    object.kind === 'ConfigMap' ? { ...object, data: { token: '‹masked: left out of the dump›' } } : object;
  expect(() => upgradeOf({ change: masked })).toThrow('has a value that looks like a secret');
});

test.skipIf(isAway)('nobody may change what is carried over between the plan and the act', () => {
  const guards = upgradeOf().operations.find(({ id }) => id === 'manifest.apply')?.reads ?? [];
  const paths = guards.flatMap(({ target, expected }) =>
    target.resource.kind === 'DaemonSet' ? expected.map(({ path }) => path.join('.')) : [],
  );
  const pod = ['containers', 'initContainers', 'tolerations', 'volumes', 'imagePullSecrets'];
  expect(paths).toEqual(expect.arrayContaining(pod.map((field) => `spec.template.spec.${field}`)));
  expect(paths).toEqual(expect.arrayContaining(['metadata.labels', 'spec.updateStrategy']));
});

test.skipIf(isAway)(
  'what nobody may write by such a plan is refused: another object, other rights than its own fields',
  () => {
    const plan = upgradeOf();
    const forged = (from: string, to: string) => () => parsePlan(JSON.parse(JSON.stringify(plan).replaceAll(from, to)));
    expect(forged('"name":"calico-kube-controllers"', '"name":"coredns"')).toThrow(/manifest\.apply|fields\.adopt/);
    expect(forged('"namespace":"kube-system"', '"namespace":"default"')).toThrow();
  },
);

const withEndpoints = (etcd_endpoints: string) => (object: ManifestObject) =>
  object.kind === 'ConfigMap' ? { ...object, data: { ...(object.data as object), etcd_endpoints } } : object;

test.skipIf(isAway)('with etcd there are no kinds to bring; its address and its certificates stay', () => {
  const plan = upgradeOf({ manifest: 'calico-etcd', change: withEndpoints('https://10.0.0.11:2379') });
  expect(plan.operations.map(({ id }) => id)).toEqual(journey.filter((id) => id !== 'crds'));
  expect(written(plan, 'ConfigMap')).toMatchObject({ data: { etcd_endpoints: 'https://10.0.0.11:2379' } });
  expect(JSON.stringify(plan.operations.map(({ act }) => act))).not.toContain('"kind":"Secret"');
  expect(() => parsePlan(JSON.parse(JSON.stringify(plan)))).not.toThrow();
});

test.skipIf(isAway).each([
  ['calico-etcd', 'v3.24.6', 'calico-node 1/1'],
  ['calico-etcd', 'v3.27.5', 'calico-node 1/1'],
  ['calico-etcd', 'v3.30.7', 'calico-node 1/1'],
  ['canal-etcd', 'v3.24.6', 'canal-node 2/2'],
  ['canal-etcd', 'v3.27.5', 'canal-node 2/2'],
] as const)(
  '%s %s: READY %s and kube-controllers 1/1 are awaited, and nothing is written into etcd',
  (manifest, from, ready) => {
    const plan = upgradeOf({ manifest, from, change: withEndpoints('https://10.0.0.11:2379') });
    expect(plan.operations.find(({ id }) => id === 'verify.pods')?.why).toContain(
      `READY is ${ready}, calico-kube-controllers 1/1`,
    );
    expect(written(plan, 'ConfigMap')).toMatchObject({ data: { etcd_endpoints: 'https://10.0.0.11:2379' } });
    const acts = JSON.stringify(plan.operations.map(({ act, undo }) => [act, undo]));
    expect(acts).not.toMatch(/"kind":"(Secret|Job)"/);
    expect(plan.operations.find(({ id }) => id === 'verify.version')?.command).toMatch(
      /^case .*\*:v3\.31\.4\|\*:v3\.31\.4@\*\)/,
    );
    expect(() => parsePlan(JSON.parse(JSON.stringify(plan)))).not.toThrow();
  },
);

test.skipIf(isAway)('an address of etcd that was never filled in stops the plan', () => {
  expect(() => upgradeOf({ manifest: 'calico-etcd' })).toThrow('would hold <ETCD_IP>');
});

test.skipIf(isAway).each<Manifest>(['calico-typha', 'calico-vxlan', 'calico-bpf', 'calico', 'canal', 'policy-only'])(
  '%s that is there as the new file has it is not applied again',
  (manifest) => {
    const plan = upgradeOf({ manifest, from: 'v3.31.4' });
    const [crds, apply] = ['crds', 'manifest.apply'].map((id) => plan.operations.find((one) => one.id === id)?.status);
    expect({ crds, apply }).toEqual({ crds: 'already-done', apply: 'already-done' });
    expect(() => parsePlan(JSON.parse(JSON.stringify(plan)))).not.toThrow();
  },
);
