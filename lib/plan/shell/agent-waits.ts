import { carriesEndpoint } from '#lib/checks/index.ts';
import { felixLines, names, type ObjectRef, resources, serviceMaps } from '#lib/spec/index.ts';
import { shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import type { Endpoint } from '../endpoint.ts';
import { agents, felix } from '../objects/object-refs.ts';
import type { PlanContext } from '../operation.ts';
import { forEachPod } from './pod-waits.ts';
import { field, output, rolloutStatus, until, untilEqual } from './waits.ts';

/** Waits for the operator to change each template first; before that, the finished rollout is that of the earlier address. */
export function untilEndpointActive(endpoint: Endpoint | null, context: PlanContext, seconds: number): string {
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
export function untilBpfActive(context: PlanContext, seconds: number): string {
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
