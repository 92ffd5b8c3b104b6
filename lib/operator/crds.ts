import { z } from 'zod';
import { isRecord } from '#lib/base/records.ts';
import { installationSpec } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type ManifestObject, type Resource, resources } from '#lib/spec/index.ts';
import { condition, installationStatus } from './installation/installation.ts';
import { unreadFields } from './installation/unread-fields.ts';

const any = z.looseObject({});

const felixSpec = z.looseObject({
  bpfEnabled: z.boolean().optional(),
  bpfKubeProxyIptablesCleanupEnabled: z.boolean().optional(),
  bpfLogLevel: z.string().optional(),
  bpfExternalServiceMode: z.string().optional(),
  bpfDataIfacePattern: z.string().optional(),
  bpfConnectTimeLoadBalancing: z.enum(['TCP', 'Enabled', 'Disabled']).optional(),
  bpfKubeProxyHealthzPort: z.int().optional(),
  cgroupV2Path: z.string().optional(),
  healthPort: z.int().optional(),
  logSeverityScreen: z.string().optional(),
  nftablesMode: z.enum(['Disabled', 'Enabled', 'Auto']).optional(),
  vxlanPort: z.int().optional(),
  vxlanVNI: z.int().optional(),
});

const poolSpec = z.looseObject({
  cidr: z.string(),
  allowedUses: z.array(z.string()).optional(),
  assignmentMode: z.enum(['Automatic', 'Manual']).optional(),
  blockSize: z.int().optional(),
  disabled: z.boolean().optional(),
  disableBGPExport: z.boolean().optional(),
  ipipMode: z.string().optional(),
  natOutgoing: z.boolean().optional(),
  nodeSelector: z.string().optional(),
  vxlanMode: z.string().optional(),
});

/** Resource of Calico's own kinds. Those below that nothing here reads are defined because every release defines them (calico.md §1.2: 32 in all). */
const crdV1 = (kind: string, plural = `${kind.toLowerCase()}s`, namespaced = false): Resource => ({
  group: 'crd.projectcalico.org',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const operatorV1 = (kind: string, plural = `${kind.toLowerCase()}s`): Resource => ({
  group: 'operator.tigera.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});
const adminPolicy = (kind: string, plural: string): Resource => ({
  group: 'policy.networking.k8s.io',
  version: 'v1alpha1',
  kind,
  plural,
  namespaced: false,
});
const unread: readonly Resource[] = [
  operatorV1('GatewayAPI'),
  operatorV1('ManagementClusterConnection'),
  crdV1('BGPConfiguration'),
  crdV1('BGPFilter'),
  crdV1('BGPPeer'),
  crdV1('BlockAffinity', 'blockaffinities'),
  crdV1('CalicoNodeStatus', 'caliconodestatuses'),
  crdV1('GlobalNetworkSet'),
  crdV1('HostEndpoint'),
  crdV1('IPAMBlock'),
  crdV1('IPAMConfig'),
  crdV1('IPAMHandle'),
  crdV1('IPReservation'),
  crdV1('KubeControllersConfiguration'),
  crdV1('NetworkSet', 'networksets', true),
  crdV1('StagedGlobalNetworkPolicy', 'stagedglobalnetworkpolicies'),
  crdV1('StagedKubernetesNetworkPolicy', 'stagedkubernetesnetworkpolicies', true),
  crdV1('StagedNetworkPolicy', 'stagednetworkpolicies', true),
  crdV1('Tier'),
  adminPolicy('AdminNetworkPolicy', 'adminnetworkpolicies'),
  adminPolicy('BaselineAdminNetworkPolicy', 'baselineadminnetworkpolicies'),
];

const statusConditions = z.looseObject({ conditions: z.array(condition).optional() });

/** `unread`: more fields, by the group that has them. With it `spec` has all fields of its groups, and others are refused. */
type Definition = {
  resource: Resource;
  spec: z.ZodType;
  status?: z.ZodType;
  unread?: Readonly<Record<string, readonly string[]>>;
};

/**
 * All kinds, in the order in which a sandbox needs them. Calico's kinds have no list-type annotations, so that their lists are atomic, the conditions
 * too.
 */
const definitions: readonly Definition[] = [
  { resource: resources.installations, spec: installationSpec, status: installationStatus, unread: unreadFields },
  { resource: resources.tigeraStatuses, spec: any, status: statusConditions },
  {
    resource: resources.apiServers,
    spec: any,
    status: z.looseObject({ state: z.string().optional(), conditions: z.array(condition).optional() }),
  },
  { resource: resources.goldmanes, spec: any, status: statusConditions },
  { resource: resources.whiskers, spec: any, status: statusConditions },
  { resource: resources.imageSets, spec: any },
  { resource: resources.felixConfigurations, spec: felixSpec },
  { resource: resources.ipPools, spec: poolSpec },
  { resource: resources.globalNetworkPolicies, spec: any },
  { resource: resources.calicoNetworkPolicies, spec: any },
  { resource: resources.clusterInformations, spec: any },
  ...unread.map((resource) => ({ resource, spec: any })),
];

/**
 * CustomResourceDefinitions for sandboxes, made from the schemas by which we read these kinds. They are compact. No command applies them to a real
 * cluster, which needs Calico's own.
 */
export function sandboxDefinitions(): KubeObject[] {
  return definitions.map((definition) => ({ ...inFile(definition), ...served(definition) }));
}

/** The same definitions as they stand in a release's file: without the status that the API server writes. */
export function releaseDefinitions(): ManifestObject[] {
  return definitions.map(inFile);
}

function served({ resource }: Definition): Pick<KubeObject, 'metadata' | 'status'> {
  return {
    metadata: { name: nameOf(resource), generation: 1 },
    status: {
      acceptedNames: { kind: resource.kind, plural: resource.plural },
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
      storedVersions: [resource.version],
    },
  };
}

const nameOf = ({ plural, group }: Resource) => `${plural}.${group}`;

/** Made once each and copied: samples ask for all of them dozens of times while they load, and each sandbox does as it opens. */
const files = new Map<Definition, ManifestObject>();

function inFile(definition: Definition): ManifestObject {
  const file = files.get(definition) ?? written(definition);
  files.set(definition, file);
  return structuredClone(file);
}

function written({ resource, spec, status, unread }: Definition): ManifestObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: nameOf(resource) },
    spec: {
      group: resource.group,
      names: {
        kind: resource.kind,
        listKind: `${resource.kind}List`,
        plural: resource.plural,
        singular: resource.kind.toLowerCase(),
      },
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: resource.version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: unread ? closed(structural(spec), unread) : structural(spec),
                ...(status ? { status: structural(status) } : {}),
              },
            },
          },
          ...(status ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

/** Turns a zod schema into a structural schema of Kubernetes. Open objects keep unknown members, and int-or-string is marked. */
function structural(schema: z.ZodType): Record<string, unknown> {
  const json: unknown = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return isRecord(json) ? converted(json) : {};
}

const dropped = new Set(['$schema', 'additionalProperties', 'anyOf', 'propertyNames', 'minimum', 'maximum']);

function converted(node: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(node.anyOf)) return { 'x-kubernetes-int-or-string': true };
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (dropped.has(key)) continue;
    if (key === 'properties' && isRecord(value)) {
      // An API server keeps no empty map: with one, the applied object would always differ from the live one.
      if (Object.keys(value).length === 0) continue;
      out.properties = Object.fromEntries(
        Object.entries(value).map(([name, child]) => [name, isRecord(child) ? converted(child) : child]),
      );
    } else if (key === 'items' && isRecord(value)) out.items = converted(value);
    else out[key] = value;
  }
  const open = node.additionalProperties;
  if (isRecord(open) && Object.keys(open).length > 0) out.additionalProperties = converted(open);
  else if (node.type === 'object') out['x-kubernetes-preserve-unknown-fields'] = true;
  return out;
}

/** The schema with `unread` in it, and without the leave to keep other fields where it names some. */
function closed(
  schema: Record<string, unknown>,
  unread: Readonly<Record<string, readonly string[]>>,
  group = '',
): Record<string, unknown> {
  if (isRecord(schema.items)) return { ...schema, items: closed(schema.items, unread, group) };
  if (!isRecord(schema.properties)) return schema;
  const { 'x-kubernetes-preserve-unknown-fields': _, ...rest } = schema;
  const inside = (name: string) => (group === '' ? name : `${group}.${name}`);
  const known = Object.entries(schema.properties).map(([name, child]) => [
    name,
    isRecord(child) ? closed(child, unread, inside(name)) : child,
  ]);
  const others = (unread[group] ?? []).map((name) => [name, { 'x-kubernetes-preserve-unknown-fields': true }]);
  return { ...rest, properties: Object.fromEntries([...known, ...others]) };
}
