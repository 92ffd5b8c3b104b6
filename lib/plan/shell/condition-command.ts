import { isManifestInstall } from '#lib/checks/index.ts';
import {
  automaticEndpointOf,
  calicoNamespaces,
  helmWords,
  names,
  proxySettleSeconds,
  resources,
} from '#lib/spec/index.ts';
import { shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import { agents, calicoNamespace, felix, installation } from '../objects/object-refs.ts';
import type { PlanContext } from '../operation.ts';
import type { Condition } from '../schema/condition.ts';
import { labelsInCommon } from '../upgrade/afterwards/labels-to-copy.ts';
import { untilBpfActive, untilEndpointActive } from './agent-waits.ts';
import { forEachPod, podsOf, podsReady, untilSidecars, untilWithoutIpvs } from './pod-waits.ts';
import { objectArguments } from './resource-argument.ts';
import {
  field,
  output,
  rolloutStatus,
  until,
  untilDeleted,
  untilEmpty,
  untilEqual,
  untilNotEqual,
  untilReached,
} from './waits.ts';

type Writer<K extends Condition['kind']> = (
  condition: Extract<Condition, { kind: K }>,
  context: PlanContext,
  deadlineSeconds: number,
) => string;

const nothing = () => '';

/** How to wait for the same with kubectl. Empty if the write itself was the proof. */
const writers: { [K in Condition['kind']]: Writer<K> } = {
  journalled: nothing,
  exists: nothing,
  fields: nothing,
  made: nothing,
  unmade: ({ target }) => untilDeleted([target]),
  absent: ({ target }) => untilDeleted([target]),
  'all-absent': ({ targets }) => untilDeleted(targets),
  rollout: ({ target }, _context, seconds) => rolloutStatus(target, seconds),
  established: ({ targets }, _context, seconds) =>
    line(
      'kubectl',
      'wait',
      '--for=condition=Established',
      `--timeout=${seconds}s`,
      ...targets.flatMap(objectArguments),
    ),
  'no-pods': ({ target }, context) =>
    [untilEqual(field(target, ['status', 'desiredNumberScheduled']), '0'), untilEmpty(podsOf(target, context))].join(
      '\n',
    ),
  'endpoint-active': ({ endpoint }, context, seconds) => untilEndpointActive(endpoint, context, seconds),
  'bpf-active': (_condition, context, seconds) => untilBpfActive(context, seconds),
  'bpf-inactive': (_condition, context, seconds) =>
    [
      untilNotEqual(field(felix(context), ['spec', 'bpfEnabled']), 'true'),
      rolloutStatus(agents(context), seconds),
    ].join('\n'),
  'proxy-back': ({ target }, { facts }, seconds) =>
    target === null
      ? [
          `printf '%s\\n' 'Press Enter once the service proxy runs on every node and has written its rules.'`,
          'read -r _ || exit 1',
        ].join('\n')
      : [
          untilNotEqual(field(target, ['status', 'desiredNumberScheduled']), '0'),
          rolloutStatus(target, seconds),
          // Its pods are ready before they have written their rules, which kubectl does not see.
          `sleep ${Math.ceil(proxySettleSeconds(facts.resources.serviceCount ?? 0))}`,
        ].join('\n'),
  'proxy-gone': nothing,
  'ipvs-gone': ({ target }, context) => forEachPod(target, context, [untilWithoutIpvs(target.namespace)]),
  reconciled: () => untilReconciled(),
  // Every agent restarts within seconds of such a change, and no status field shows it.
  'agents-restarted': (_condition, context, seconds) => `sleep 60\n${rolloutStatus(agents(context), seconds)}`,
  'status-not-available': ({ tigeraStatus }) =>
    untilNotEqual(
      `${output({ resource: resources.tigeraStatuses, name: tigeraStatus }, '{.status.conditions[?(@.type=="Available")].status}')} --ignore-not-found`,
      'True',
    ),
  'installation-available': ({ version }, context, seconds) => versionRuns(version, context, seconds),
  upgraded: ({ version, workloads }, context, seconds) =>
    workloads === undefined
      ? versionRuns(version, context, seconds)
      : workloads.map((target) => rolloutStatus(target, seconds)).join('\n'),
  'fields-adopted': nothing,
  'owner-references-gone': nothing,
  'owners-served': nothing,
  'owner-references-restored': nothing,
  'only-ours-left': ({ within }) =>
    [
      `printf '%s\\n' ${quote(`Look first whether anybody else keeps something in ${within.map(({ name }) => name).join(', ')}: it goes too. Press Enter to go on.`)}`,
      'read -r _ || exit 1',
    ].join('\n'),
  'check-passes': nothing,
  'helm-deployed': ({ release, namespace, driver }) =>
    line(...helmWords({ driver }, ['status', release, '--namespace', namespace])),
  'auto-host-endpoints': (_condition, context) => [hostEndpointsOfNodes, ...labelsOfHostEndpoints(context)].join('\n'),
  'flow-logs-active': (_condition, context, seconds) =>
    [
      ...['goldmane', 'whisker'].map((name) =>
        untilEqual(
          `${output({ resource: resources.tigeraStatuses, name }, '{.status.conditions[?(@.type=="Available")].status}')} --ignore-not-found`,
          'True',
        ),
      ),
      untilNotEqual(flowServer(context), ''),
      rolloutStatus(agents(context), seconds),
    ].join('\n'),
  'flow-logs-inactive': (_condition, context, seconds) =>
    [
      untilDeleted([{ resource: resources.deployments, namespace: calicoNamespace(context), name: 'goldmane' }]),
      untilEmpty(flowServer(context)),
      rolloutStatus(agents(context), seconds),
    ].join('\n'),
  sidecars: ({ target, version }, context, seconds) =>
    [rolloutStatus(target, seconds), untilSidecars(target, version, context)].join('\n'),
  'product-pods-ready': (_condition, _context, seconds) =>
    calicoNamespaces.map((namespace) => podsReady(namespace, seconds)).join('\n'),
  version: ({ equals }, context) => versionEquals(equals, context),
  'services-answer': () => 'echo "Not measured here: ClusterIPs, DNS and NodePorts from a pod on every node." >&2',
  all: ({ of }, context, seconds) =>
    of
      .map((condition) => conditionCommand(condition, context, seconds))
      .filter((command) => command !== '')
      .join('\n'),
};

/** The commands that wait for a condition; empty if the write itself was the proof. `deadlineSeconds`: for commands with a time-out. */
export function conditionCommand<K extends Condition['kind']>(
  condition: Extract<Condition, { kind: K }>,
  context: PlanContext,
  deadlineSeconds: number,
): string {
  return (writers[condition.kind] as Writer<K>)(condition, context, deadlineSeconds);
}

/** Compares exact names: the name of a template, or of a node that is gone, must not count for another one. */
const named = (plural: string) => line('kubectl', 'get', plural, '-o', 'jsonpath={.items[*].metadata.name}');
const hostEndpointsOfNodes = [
  `until nodes=$(${named('nodes')}) || exit 1; found=$(${named('hostendpoints.crd.projectcalico.org')}) || exit 1; missing=`,
  '  for node in $nodes; do',
  '    case " $found " in *" $node-auto-hep "*) ;; *) missing=$node ;; esac',
  '  done',
  '  [ -z "$missing" ]; do sleep 5; done',
].join('\n');

/** Host endpoints have their labels as text in an annotation where they are stored, and as fields in Calico's API. */
const labelsOfHostEndpoints = (context: PlanContext): string[] =>
  labelsInCommon(context).flatMap(({ node, labels }) => {
    const target = { resource: resources.hostEndpoints, name: automaticEndpointOf(node.name) ?? node.name };
    const labelsOutput = output(target, '{.metadata.labels}{.metadata.annotations}');
    return Object.entries(labels).map(([key, value]) => {
      const [plain, escaped] = [`"${key}":"${value}"`, `\\"${key}\\":\\"${value}\\"`];
      return until(labelsOutput, `case "$found" in *${quote(plain)}*|*${quote(escaped)}*) : ;; *) false ;; esac`);
    });
  });

/** Waits for the version first: until the operator has written it, the rollout may not have begun. */
function versionRuns(version: string, context: PlanContext, seconds: number): string {
  return [
    untilEqual(field(installation, ['status', 'calicoVersion']), version),
    // The version may be there already, of an Installation as it was before.
    untilReconciled(),
    rolloutStatus(agents(context), seconds),
    line('kubectl', 'wait', 'tigerastatuses/calico', '--for=condition=Available', `--timeout=${seconds}s`),
  ].join('\n');
}

/** The version, from the agents' image: without an operator there is no Installation, and with data in etcd no ClusterInformation. */
function versionEquals(version: string, context: PlanContext): string {
  const { facts } = context;
  const equal = (command: string) => `test "$(${command})" = ${quote(version)}`;
  if (!isManifestInstall(facts)) return equal(field(installation, ['status', 'calicoVersion']));
  if (facts.installation.method === 'manifest-kdd')
    return equal(field({ resource: resources.clusterInformations, name: 'default' }, ['spec', 'calicoVersion']));
  const agents = facts.installation.agent?.split('/').at(-1) ?? names.nodeDaemonSet;
  const image = output(
    { resource: resources.daemonSets, namespace: names.systemNamespace, name: agents },
    `{.spec.template.spec.containers[?(@.name=="${names.nodeContainer}")].image}`,
  );
  return `case "$(${image})" in *:${quote(version)}|*:${quote(version)}@*) ;; *) exit 1 ;; esac`;
}

/** The address to which agents send their flows; empty if they send none. */
function flowServer(context: PlanContext): string {
  const path = `{.spec.template.spec.containers[*].env[?(@.name=="${names.flowLogsServerEnv}")].value}`;
  return output(agents(context), path);
}

/** Waits until the operator reports the Installation's generation in every condition: a process that cannot judge yet writes only some of them. */
function untilReconciled(): string {
  const calico = { resource: resources.tigeraStatuses, name: 'calico' };
  return untilReached(
    output(calico, '{.status.conditions[*].observedGeneration}'),
    field(installation, ['metadata', 'generation']),
  );
}
