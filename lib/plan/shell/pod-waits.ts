import { isRecord } from '#lib/base/records.ts';
import { sidecarName } from '#lib/facts/index.ts';
import { ipvs, type ObjectRef } from '#lib/spec/index.ts';
import { shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import { fieldAt } from '../objects/field.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { until } from './waits.ts';

const notEnded = '--field-selector=status.phase!=Failed,status.phase!=Succeeded';

/** Lists the pods of a DaemonSet by its own selector: AKS' kube-proxy has other labels than `k8s-app`. */
export function podsOf(
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
export function forEachPod(target: ObjectRef, context: PlanContext, lines: readonly string[]): string {
  return [
    `pods=$(${podsOf(target, context)}) || exit 1`,
    `[ -n "$pods" ] || { echo ${quote(`No pod of ${target.name} was found.`)} >&2; exit 1; }`,
    'for pod in $pods; do',
    ...lines.map((text) => `  ${text}`),
    'done',
  ].join('\n');
}

/** Waits for the pods of a namespace, which may have none or not exist. Pods that have ended, e.g. evicted ones, never become ready. */
export function podsReady(namespace: string, seconds: number): string {
  const running = ['-n', namespace, notEnded];
  // kubectl refuses a selector beside --all.
  const wait = line('kubectl', 'wait', 'pods', ...running, '--for=condition=Ready', `--timeout=${seconds}s`);
  return [
    `pods=$(${line('kubectl', 'get', 'pods', ...running, '-o', 'name', '--ignore-not-found')}) || exit 1`,
    `[ -z "$pods" ] || ${wait}`,
  ].join('\n');
}

/** Waits until each pod has the sidecar of this release: an injector that has not read its new template yet adds the old one to new pods too. */
export function untilSidecars(target: ObjectRef, version: string, context: PlanContext): string {
  const images = ['containers', 'initContainers'].map((list) => `{.spec.${list}[?(@.name=="${sidecarName}")].image}`);
  const output = `jsonpath={range .items[*]}{.metadata.name} ${images.join('')}{"\\n"}{end}`;
  return until(
    `${podsOf(target, context, output)} ${quote(notEnded)}`,
    `[ -z "$found" ] || ! printf '%s\\n' "$found" | ${line('grep', '-qvE', `:${version.replaceAll('.', '[.]')}(@.*)?$`)}`,
  );
}

/** Waits until the node of `$pod` has neither IPVS' device nor virtual servers. An answer without any device ends the script: it shows nothing. */
export function untilWithoutIpvs(namespace = ''): string {
  const left = `${ipvs.device}:|${ipvs.server}`;
  return until(
    `${line('kubectl', 'exec', '-n', namespace)} "$pod" -- ${line('cat', ...ipvs.files)} 2>/dev/null || true`,
    [
      `case $found in *' lo:'*) ;; *) echo "$pod: what IPVS left could not be read." >&2; exit 1 ;; esac`,
      `! printf '%s\\n' "$found" | ${line('grep', '-qE', left)}`,
    ].join('; '),
  );
}
