import { containerNamed, dataOf, type KubeObject, type ObjectMetadata, type Workload } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import { folded, picked } from '../reading/query.ts';
import type { Listing } from '../reading/session.ts';
import { activeOperator, nodeListing, tracked } from '../reading/sources.ts';
import { versionOfImage, workloadId } from '../reading/workload.ts';
import type { Evidence, Facts, Subject } from '../schema.ts';
import { agents, deployments } from './agents.ts';

type Installed = Facts['installation'];

const installationsDefinition = 'installations.operator.tigera.io';

/** Metadata only: the schemas are a megabyte, and names are enough. */
const definitionListing: Listing = {
  resources: [resources.customResourceDefinitions],
  detail: 'metadata',
  fieldSelector: `metadata.name=${installationsDefinition}`,
};
const definition = picked(definitionListing, ({ metadata: { name } }) =>
  name === installationsDefinition ? name : null,
);

/** The label that shows how far a node's migration has come; the operator sets it on all nodes when it begins (calico.md §3.7). */
const migrationLabel = 'projectcalico.org/operator-node-migration';
type Moved = { waiting: number; migrated: number; evidence: Evidence[] };

const movedNodes = folded(nodeListing, () => {
  const moved: Moved = { waiting: 0, migrated: 0, evidence: [] };
  return {
    each: (node) => {
      const value = node.metadata.labels?.[migrationLabel];
      if (typeof value !== 'string') return;
      if (value === 'migrated') moved.migrated++;
      else moved.waiting++;
      if (moved.evidence.length < 5) moved.evidence.push(evidence(node, `metadata.labels['${migrationLabel}']`, value));
    },
    result: () => moved,
  };
});

/** Incomplete installations: two operators, a stopped migration, an installation that was begun and not finished. */
export const unfinished = defineCollector({
  id: 'unfinished',
  provides: ['unfinished'],
  reads: {
    definition,
    installation: tracked.installation,
    operatorNamespace: tracked.operatorNamespace,
    deployments,
    agents,
    operatorAgents: tracked.operatorAgents,
    activeOperator,
    movedNodes,
  },
  collect: (read) => {
    const operators = read.deployments.value.filter(isOperator);
    // A workload that exists counts as running, even if its template cannot be read.
    const running =
      read.operatorAgents.value !== null ||
      read.agents.value.some(({ metadata: meta }) => meta.namespace === names.calicoNamespace);
    return {
      installation: {
        operators: operators.map((one) => operatorFact(one, read.activeOperator.value)),
        migration: migrationOf(read.movedNodes.value, read.agents.value),
        unfinished: unfinishedOf({
          definition: read.definition.value.length > 0,
          installation: read.installation.value,
          operatorNamespace: read.operatorNamespace.value,
          operators,
          running,
        }),
      },
      // The namespace and the operator's ConfigMap only add details, so they are not needed for coverage.
      coverage: {
        unfinished: allOf(read.definition, read.installation, read.deployments, read.agents, read.movedNodes),
      },
    };
  },
});

/** Whether a Deployment is the Tigera operator, by its name or its label. */
export function isOperator({ metadata: meta }: Workload): boolean {
  return meta.name === names.operatorDeployment || meta.labels['k8s-app'] === names.operatorDeployment;
}

function operatorFact(workload: Workload, active: KubeObject | null): Installed['operators'][number] {
  const container = containerNamed(workload, names.operatorDeployment);
  const namespace = dataOf(active)[names.activeNamespaceKey] ?? '';
  return {
    object: workloadId(workload),
    version: container ? versionOfImage(container.image) : null,
    active: namespace === '' ? null : namespace === workload.metadata.namespace,
  };
}

function migrationOf(moved: Moved, all: readonly Workload[]): Installed['migration'] {
  const at = (namespace: string) => all.filter(({ metadata: meta }) => meta.namespace === namespace).map(workloadId);
  const both = [at(names.systemNamespace), at(names.calicoNamespace)];
  const together = both.every((some) => some.length > 0) ? both.flat() : [];
  return moved.waiting + moved.migrated + together.length === 0 ? null : { ...moved, agents: together };
}

type Pieces = {
  readonly definition: boolean;
  readonly installation: KubeObject | null;
  readonly operatorNamespace: KubeObject | null;
  readonly operators: readonly Workload[];
  readonly running: boolean;
};

/** The existing and the missing parts; null: no part exists, or all do. Definitions alone do not count: they are left on purpose when Calico is removed (calico.md §13 no. 30). */
function unfinishedOf(pieces: Pieces): Installed['unfinished'] {
  const { definition: isDefined, installation, operatorNamespace, operators, running } = pieces;
  const isLeaving = installation !== null && deletedAt(installation) !== null;
  const parts: readonly (readonly [boolean, Subject])[] = [
    [isDefined, subject('CustomResourceDefinition', null, installationsDefinition, 'the definition of Installations')],
    [operators.length > 0, subject('Deployment', names.operatorNamespace, names.operatorDeployment, 'the operator')],
    [
      installation !== null && !isLeaving,
      subject(
        'Installation',
        null,
        names.installation,
        isLeaving ? 'is being deleted' : 'tells the operator what to install',
      ),
    ],
    [running, subject('DaemonSet', names.calicoNamespace, names.nodeDaemonSet, 'the agent of every node')],
  ];
  const has = parts.filter(([isThere]) => isThere).map(([, one]) => one);
  const lacks = parts.filter(([isThere]) => !isThere).map(([, one]) => one);
  const namespace = subject('Namespace', null, names.operatorNamespace, "the operator's namespace");
  const begun = [...(operatorNamespace === null ? [] : [namespace]), ...has];
  return begun.length === 0 || lacks.length === 0 ? null : { has: begun, lacks };
}

function deletedAt({ metadata }: KubeObject | ObjectMetadata): string | null {
  return typeof metadata.deletionTimestamp === 'string' ? metadata.deletionTimestamp : null;
}

function subject(kind: string, namespace: string | null, name: string, detail: string): Subject {
  return { kind, namespace, name, detail };
}
