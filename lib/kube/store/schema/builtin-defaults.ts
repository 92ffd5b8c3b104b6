import { type Fields, isRecord } from '#lib/base/records.ts';
import type { KubeObject } from '../../object.ts';
import { items, setPodSpecDefaults } from './pod-defaults.ts';

/**
 * Sets the server's defaults in place, for the built-in kinds that we write. Other kinds stay as they are.
 * kubernetes pkg/apis/<group>/v1/defaults.go (1.36).
 */
export const builtinDefaults: Readonly<Record<string, (object: KubeObject) => void>> = {
  'apps/DaemonSet': (object) => {
    const spec = fieldsOf(object, 'spec');
    spec.revisionHistoryLimit ??= 10;
    const strategy = fieldsOf(spec, 'updateStrategy');
    strategy.type ??= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') fieldsOf(strategy, 'rollingUpdate').maxUnavailable ??= 1;
    if (isRecord(strategy.rollingUpdate)) {
      strategy.rollingUpdate.maxUnavailable ??= 0;
      strategy.rollingUpdate.maxSurge ??= 0;
    }
    setTemplateDefaults(spec);
    // v1 has the internal field `templateGeneration` as an annotation.
    const annotations = fieldsOf(object.metadata, 'annotations');
    annotations[templateGeneration] ??= '0';
  },
  'apps/Deployment': (object) => {
    const spec = fieldsOf(object, 'spec');
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    const strategy = fieldsOf(spec, 'strategy');
    strategy.type ??= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      const rolling = fieldsOf(strategy, 'rollingUpdate');
      rolling.maxUnavailable ??= '25%';
      rolling.maxSurge ??= '25%';
    }
    setTemplateDefaults(spec);
  },
  'apps/ReplicaSet': (object) => {
    const spec = fieldsOf(object, 'spec');
    spec.replicas ??= 1;
    setTemplateDefaults(spec);
  },
  'apps/StatefulSet': (object) => {
    const spec = fieldsOf(object, 'spec');
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    spec.podManagementPolicy ??= 'OrderedReady';
    spec.updateStrategy ??= { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
    setTemplateDefaults(spec);
  },
  '/Pod': (object) => {
    const spec = fieldsOf(object, 'spec');
    setPodSpecDefaults(spec);
    spec.enableServiceLinks ??= true;
    fieldsOf(object, 'status').phase ??= 'Pending';
  },
  '/Service': (object) => {
    const spec = fieldsOf(object, 'spec');
    spec.sessionAffinity ??= 'None';
    spec.type ??= 'ClusterIP';
    if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
    for (const port of items(spec.ports)) {
      port.protocol ??= 'TCP';
      if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
    }
  },
  '/Secret': (object) => {
    object.type ??= 'Opaque';
  },
  '/Namespace': (object) => {
    const { name } = object.metadata;
    if (name) fieldsOf(object.metadata, 'labels')['kubernetes.io/metadata.name'] ??= name;
    fieldsOf(object, 'status').phase ??= 'Active';
  },
  'discovery.k8s.io/EndpointSlice': (object) => {
    for (const port of items(object.ports)) {
      port.protocol ??= 'TCP';
      port.name ??= '';
    }
  },
  'networking.k8s.io/NetworkPolicy': (object) => {
    const spec = fieldsOf(object, 'spec');
    spec.policyTypes ??= ['Ingress', ...(items(spec.egress).length > 0 ? ['Egress'] : [])];
  },
  'rbac.authorization.k8s.io/ClusterRoleBinding': setRoleRefDefaults,
  'rbac.authorization.k8s.io/RoleBinding': setRoleRefDefaults,
  'apiextensions.k8s.io/CustomResourceDefinition': (object) => {
    const spec = fieldsOf(object, 'spec');
    const names = fieldsOf(spec, 'names');
    if (typeof names.kind === 'string') {
      names.listKind ??= `${names.kind}List`;
      if (names.singular === undefined || names.singular === '') names.singular = names.kind.toLowerCase();
    }
    spec.conversion ??= { strategy: 'None' };
  },
};

export const templateGeneration = 'deprecated.daemonset.template.generation';

function setTemplateDefaults(spec: Fields): void {
  setPodSpecDefaults(fieldsOf(fieldsOf(spec, 'template'), 'spec'));
}

function setRoleRefDefaults(object: KubeObject): void {
  const roleRef = fieldsOf(object, 'roleRef');
  if (roleRef.apiGroup === undefined || roleRef.apiGroup === '') roleRef.apiGroup = 'rbac.authorization.k8s.io';
  for (const subject of items(object.subjects)) {
    if (subject.kind !== 'ServiceAccount') subject.apiGroup ??= 'rbac.authorization.k8s.io';
  }
}

function fieldsOf(parent: Fields, name: string): Fields {
  const found = parent[name];
  if (isRecord(found)) return found;
  const made: Fields = {};
  parent[name] = made;
  return made;
}
