import { isRecord } from '#lib/base/records.ts';
import type { ManifestObject } from '#lib/spec/index.ts';

type Fields = Record<string, unknown>;
type Named = { name: string } & Fields;

/**
 * A change that people make to objects of a published manifest. `of`: the field's owner, by kind. `field`: the name of the change, after the object.
 * `change`: makes it in a copy. `seen`: the part of the object that shows it.
 */
export type HandChange = {
  readonly what: string;
  readonly of: 'ConfigMap' | 'DaemonSet' | 'Deployment' | 'ClusterRole';
  readonly field: string;
  change(object: ManifestObject): void;
  seen(object: ManifestObject): unknown;
};

const podOf = (object: ManifestObject) =>
  (object.spec as { template: { spec: Fields & { containers: Named[]; tolerations?: Fields[] } } }).template.spec;
const templateOf = (object: ManifestObject) => (object.spec as { template: { metadata: Fields } }).template;

const agentContainer = 'calico-node';

function agentOf(object: ManifestObject): Named & { env: Named[] } {
  const found = podOf(object).containers.find(({ name }) => name === agentContainer);
  if (!found) throw new Error('the agents have no container calico-node');
  return found as Named & { env: Named[] };
}

const variable = (name: string) => (object: ManifestObject) => agentOf(object).env.find((one) => one.name === name);
const pod = (field: string) => `spec.template.spec.${field}`;
const agent = (field: string) => pod(`containers[${agentContainer}].${field}`);
const gpu = { key: 'example.test/gpu', operator: 'Exists' };
const recorded = { apiGroups: ['example.test'], resources: ['things'], verbs: ['get'] };
const plain = (value: unknown): Fields => (isRecord(value) ? value : {});

/** The changes that documentation recommends, and others that people make. Every flavour of every release has the objects that they are about. */
export const handChanges: readonly HandChange[] = [
  {
    what: 'a key that is added to the settings',
    of: 'ConfigMap',
    field: 'data.mine',
    change: (object) => Object.assign(object.data as Fields, { mine: 'a key of mine' }),
    seen: (object) => plain(object.data).mine,
  },
  {
    what: 'a value of a variable',
    of: 'DaemonSet',
    field: agent('env[FELIX_DEFAULTENDPOINTTOHOSTACTION].value'),
    change: (object) => Object.assign(variable('FELIX_DEFAULTENDPOINTTOHOSTACTION')(object) ?? {}, { value: 'RETURN' }),
    seen: variable('FELIX_DEFAULTENDPOINTTOHOSTACTION'),
  },
  {
    what: 'a variable that is added',
    of: 'DaemonSet',
    field: agent('env[FELIX_MINE]'),
    change: (object) => agentOf(object).env.push({ name: 'FELIX_MINE', value: 'x' }),
    seen: variable('FELIX_MINE'),
  },
  {
    what: 'a variable that is taken out',
    of: 'DaemonSet',
    field: agent('env[CLUSTER_TYPE]'),
    change: (object) =>
      Object.assign(agentOf(object), { env: agentOf(object).env.filter(({ name }) => name !== 'CLUSTER_TYPE') }),
    seen: variable('CLUSTER_TYPE'),
  },
  {
    what: 'what the agent asks for',
    of: 'DaemonSet',
    field: agent('resources.requests.cpu'),
    change: (object) => Object.assign(agentOf(object), { resources: { requests: { cpu: '100m' } } }),
    seen: (object) => plain(agentOf(object).resources).requests,
  },
  {
    what: 'a limit',
    of: 'DaemonSet',
    field: agent('resources.limits'),
    change: (object) => Object.assign(agentOf(object).resources as Fields, { limits: { memory: '512Mi' } }),
    seen: (object) => plain(agentOf(object).resources).limits,
  },
  {
    what: 'a toleration',
    of: 'DaemonSet',
    field: pod('tolerations[key=example.test/gpu,operator=Exists]'),
    change: (object) => podOf(object).tolerations?.push(gpu),
    seen: (object) => podOf(object).tolerations?.find(({ key }) => key === gpu.key),
  },
  {
    what: 'a label that nodes must have',
    of: 'DaemonSet',
    field: pod('nodeSelector.pool'),
    change: (object) => Object.assign(podOf(object).nodeSelector as Fields, { pool: 'all' }),
    seen: (object) => plain(podOf(object).nodeSelector).pool,
  },
  {
    what: 'another priority',
    of: 'DaemonSet',
    field: pod('priorityClassName'),
    change: (object) => Object.assign(podOf(object), { priorityClassName: 'system-cluster-critical' }),
    seen: (object) => podOf(object).priorityClassName,
  },
  {
    what: 'a secret for pulling images',
    of: 'DaemonSet',
    field: pod('imagePullSecrets'),
    change: (object) => Object.assign(podOf(object), { imagePullSecrets: [{ name: 'mirror' }] }),
    seen: (object) => podOf(object).imagePullSecrets,
  },
  {
    what: 'settings of DNS',
    of: 'DaemonSet',
    field: pod('dnsConfig'),
    change: (object) => Object.assign(podOf(object), { dnsConfig: { nameservers: ['192.0.2.53'] } }),
    seen: (object) => podOf(object).dnsConfig,
  },
  {
    what: 'an annotation of pods',
    of: 'DaemonSet',
    field: 'spec.template.metadata.annotations.example.test/team',
    change: (object) => {
      const { metadata } = templateOf(object);
      metadata.annotations = { ...plain(metadata.annotations), 'example.test/team': 'network' };
    },
    seen: (object) => plain(plain(templateOf(object).metadata).annotations)['example.test/team'],
  },
  {
    what: 'how many nodes change at once',
    of: 'DaemonSet',
    field: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
    change: (object) => {
      const strategy = (object.spec as { updateStrategy: { rollingUpdate: Fields } }).updateStrategy;
      strategy.rollingUpdate.maxUnavailable = 2;
    },
    seen: (object) => (object.spec as { updateStrategy: { rollingUpdate: Fields } }).updateStrategy.rollingUpdate,
  },
  {
    what: 'a volume of another folder',
    of: 'DaemonSet',
    field: pod('volumes[var-run-calico].hostPath.path'),
    change: (object) => Object.assign(volumeOf(object)?.hostPath as Fields, { path: '/srv/run/calico' }),
    seen: (object) => plain(volumeOf(object)?.hostPath).path,
  },
  {
    what: 'a toleration of the controllers',
    of: 'Deployment',
    field: pod('tolerations[key=example.test/gpu,operator=Exists]'),
    change: (object) => podOf(object).tolerations?.push(gpu),
    seen: (object) => podOf(object).tolerations?.find(({ key }) => key === gpu.key),
  },
  {
    what: 'a right that is added',
    of: 'ClusterRole',
    field: 'rules[example.test/things]',
    change: (object) => (object.rules as Fields[]).push(recorded),
    seen: (object) => (object.rules as Fields[]).find(({ apiGroups }) => (apiGroups as string[])[0] === 'example.test'),
  },
];

function volumeOf(object: ManifestObject): Fields | undefined {
  return (podOf(object).volumes as Named[]).find(({ name }) => name === 'var-run-calico');
}

const about: Readonly<Record<HandChange['of'], RegExp>> = {
  ConfigMap: /^(calico|canal)-config$/,
  DaemonSet: /^(calico-node|canal|canal-node)$/,
  Deployment: /^calico-kube-controllers$/,
  ClusterRole: /^calico-node$/,
};

/** Whether a change is about this object of a manifest. */
export function isAbout({ of }: HandChange, { kind, metadata: { name } }: ManifestObject): boolean {
  return kind === of && about[of].test(name);
}
