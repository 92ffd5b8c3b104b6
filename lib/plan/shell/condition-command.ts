import { isRecord } from '#lib/base/records.ts';
import { carriesEndpoint, isManifestInstall } from '#lib/checks/index.ts';
import { sidecarName } from '#lib/facts/index.ts';
import {
  automaticEndpointOf,
  calicoNamespaces,
  felixLines,
  helmWords,
  ipvs,
  names,
  type ObjectRef,
  proxySettleSeconds,
  resources,
  serviceMaps,
} from '#lib/spec/index.ts';
import { shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import type { Endpoint } from '../endpoint.ts';
import { fieldAt } from '../objects/field.ts';
import { agents, calicoNamespace, felix, installation } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import type { Condition } from '../schema/condition.ts';
import { labelsInCommon } from '../upgrade/afterwards/labels-to-copy.ts';
import { jsonPath, objectArguments } from './resource-argument.ts';

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

function rolloutStatus(target: ObjectRef, seconds: number): string {
  const { resource, name, namespace } = target;
  return line(
    'kubectl',
    'rollout',
    'status',
    `${resource.kind.toLowerCase()}/${name}`,
    '-n',
    namespace ?? '',
    `--timeout=${seconds}s`,
  );
}

function field(target: ObjectRef, path: readonly string[]): string {
  return output(target, jsonPath(path));
}

function output(target: ObjectRef, jsonpath: string): string {
  return line('kubectl', 'get', ...objectArguments(target), '-o', `jsonpath=${jsonpath}`);
}

/**
 * Repeats until the test holds. Every answer is stored first, because `set -e` does not apply inside a condition: a kubectl that fails would look
 * like an empty answer, "gone".
 */
function until(command: string, test: string): string {
  return `until found=$(${command}) || exit 1; ${test}; do sleep 5; done`;
}

function untilEqual(command: string, value: string): string {
  return until(command, `[ "$found" = ${quote(value)} ]`);
}

function untilNotEqual(command: string, value: string): string {
  return until(command, `[ "$found" != ${quote(value)} ]`);
}

function untilEmpty(command: string): string {
  return until(command, '[ -z "$found" ]');
}

/** The address to which agents send their flows; empty if they send none. */
function flowServer(context: PlanContext): string {
  const path = `{.spec.template.spec.containers[*].env[?(@.name=="${names.flowLogsServerEnv}")].value}`;
  return output(agents(context), path);
}

function untilDeleted(targets: readonly ObjectRef[]): string {
  return untilEmpty(line('kubectl', 'get', ...targets.flatMap(objectArguments), '-o', 'name', '--ignore-not-found'));
}

/** Waits until the operator reports the Installation's generation in every condition: a process that cannot judge yet writes only some of them. */
function untilReconciled(): string {
  const calico = { resource: resources.tigeraStatuses, name: 'calico' };
  return untilReached(
    output(calico, '{.status.conditions[*].observedGeneration}'),
    field(installation, ['metadata', 'generation']),
  );
}

/** Until the lowest of these numbers is this one or greater. */
function untilReached(numbers: string, wanted: string): string {
  const lowest = `$(printf '%s\\n' \${numbers:-0} | sort -n | head -n 1)`;
  return `until numbers=$(${numbers}) || exit 1; wanted=$(${wanted}) || exit 1; [ "${lowest}" -ge "$wanted" ]; do sleep 5; done`;
}

const notEnded = '--field-selector=status.phase!=Failed,status.phase!=Succeeded';

/** Waits until each pod has the sidecar of this release: an injector that has not read its new template yet adds the old one to new pods too. */
function untilSidecars(target: ObjectRef, version: string, context: PlanContext): string {
  const images = ['containers', 'initContainers'].map((list) => `{.spec.${list}[?(@.name=="${sidecarName}")].image}`);
  const output = `jsonpath={range .items[*]}{.metadata.name} ${images.join('')}{"\\n"}{end}`;
  return until(
    `${podsOf(target, context, output)} ${quote(notEnded)}`,
    `[ -z "$found" ] || ! printf '%s\\n' "$found" | ${line('grep', '-qvE', `:${version.replaceAll('.', '[.]')}(@.*)?$`)}`,
  );
}

/** Waits for the pods of a namespace, which may have none or not exist. Pods that have ended, e.g. evicted ones, never become ready. */
function podsReady(namespace: string, seconds: number): string {
  const running = ['-n', namespace, notEnded];
  // kubectl refuses a selector beside --all.
  const wait = line('kubectl', 'wait', 'pods', ...running, '--for=condition=Ready', `--timeout=${seconds}s`);
  return [
    `pods=$(${line('kubectl', 'get', 'pods', ...running, '-o', 'name', '--ignore-not-found')}) || exit 1`,
    `[ -z "$pods" ] || ${wait}`,
  ].join('\n');
}

/** Lists the pods of a DaemonSet by its own selector: AKS' kube-proxy has other labels than `k8s-app`. */
function podsOf(
  { namespace = '', name, ...ref }: ObjectRef,
  { before }: Pick<PlanContext, 'before'>,
  output: string = 'name',
): string {
  const labels = fieldAt(objectOf(before, { namespace, name, ...ref }), ['spec', 'selector', 'matchLabels']);
  const selector = Object.entries(isRecord(labels) ? labels : { 'k8s-app': name }).map(
    ([key, value]) => `${key}=${value}`,
  );
  return line('kubectl', 'get', 'pods', '-n', namespace, '-l', selector.join(','), '-o', output);
}

/** A DaemonSet without pods ends the script: it shows nothing. */
function forEachPod(target: ObjectRef, context: PlanContext, lines: readonly string[]): string {
  return [
    `pods=$(${podsOf(target, context)}) || exit 1`,
    `[ -n "$pods" ] || { echo ${quote(`No pod of ${target.name} was found.`)} >&2; exit 1; }`,
    'for pod in $pods; do',
    ...lines.map((text) => `  ${text}`),
    'done',
  ].join('\n');
}

/** Waits until the node of `$pod` has neither IPVS' device nor virtual servers. An answer without any device ends the script: it shows nothing. */
function untilWithoutIpvs(namespace = ''): string {
  const left = `${ipvs.device}:|${ipvs.server}`;
  return until(
    `${line('kubectl', 'exec', '-n', namespace)} "$pod" -- ${line('cat', ...ipvs.files)} 2>/dev/null || true`,
    [
      `case $found in *' lo:'*) ;; *) echo "$pod: what IPVS left could not be read." >&2; exit 1 ;; esac`,
      `! printf '%s\\n' "$found" | ${line('grep', '-qE', left)}`,
    ].join('; '),
  );
}

/** Waits for the operator to change each template first; before that, the finished rollout is that of the earlier address. */
function untilEndpointActive(endpoint: Endpoint | null, context: PlanContext, seconds: number): string {
  const workloads = workloadsWithEndpoint(context);
  const clusterIP = context.facts.endpoint.clusterIPs[0];
  return [
    ...workloads.flatMap(({ target, container }) => {
      const value = (name: string) =>
        `{.spec.template.spec.containers[?(@.name=="${container}")].env[?(@.name=="${name}")].value}`;
      const host = value(names.endpointHostKey);
      // Without a ConfigMap a template has the ClusterIP or nothing, since the kubelet sets the same variables.
      if (endpoint === null)
        return clusterIP === undefined
          ? []
          : [until(output(target, host), `[ -z "$found" ] || [ "$found" = ${quote(clusterIP)} ]`)];
      // Containers that rightly have no address of their own.
      if (carriesEndpoint({ container, host: null, port: null }, endpoint)) return [];
      return [
        untilEqual(output(target, `${host} ${value(names.endpointPortKey)}`), `${endpoint.host} ${endpoint.port}`),
      ];
    }),
    ...workloads.map(({ target }) => rolloutStatus(target, seconds)),
  ].join('\n');
}

/** The agents, and the Deployments that were seen to have the endpoint's address: not every cluster has Typha, kube-controllers and API server. */
function workloadsWithEndpoint(context: PlanContext): { target: ObjectRef; container: string }[] {
  const deployments = context.facts.endpoint.inUse.flatMap(({ object, container }) => {
    const [namespace, kind, name] = object.split('/');
    return kind === 'Deployment' && namespace && name
      ? [{ target: { resource: resources.deployments, namespace, name }, container }]
      : [];
  });
  return [{ target: agents(context), container: names.nodeContainer }, ...deployments];
}

/**
 * Reads the log of the agent's container since it started. The last matching line decides, so that a refusal after a success counts. A log without any says
 * nothing: it was rotated, or the agent logs above Info. Then Services in its eBPF maps decide.
 */
function untilBpfActive(context: PlanContext, seconds: number): string {
  const daemonSet = agents(context);
  const patterns = Object.values(felixLines).flatMap((text) => ['-e', text]);
  const inAgent = (...words: string[]) =>
    line('kubectl', ...words, '-n', daemonSet.namespace ?? '', '-c', names.nodeContainer);
  return [
    untilEqual(field(felix(context), ['spec', 'bpfEnabled']), 'true'),
    rolloutStatus(daemonSet, seconds),
    forEachPod(daemonSet, context, [
      'while :; do',
      `  log=$(${inAgent('logs')} "$pod") || exit 1`,
      `  case $(printf '%s\\n' "$log" | ${line('grep', '-F', ...patterns)} | tail -n 1) in`,
      `    *${quote(felixLines.bpfEnabled)}*) break ;;`,
      `    *${quote(felixLines.bpfRefused)}*)`,
      '      echo "$pod: its kernel cannot run eBPF; take the switch back now." >&2',
      '      exit 1 ;;',
      `    '') if ${inAgent('exec')} "$pod" -- ${line(...serviceMaps.command)} 2>/dev/null | ${line('grep', '-qE', serviceMaps.entry)}; then break; fi ;;`,
      '  esac',
      '  sleep 5',
      'done',
    ]),
  ].join('\n');
}
