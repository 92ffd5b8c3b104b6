import { type Fields, isRecord, same } from '#lib/base/records.ts';
import type { KubeObject } from '../../object.ts';
import { items } from './pod-defaults.ts';
import type { Problem } from './schema-problems.ts';

/**
 * Errors of the server's validation of Deployments, DaemonSets, ReplicaSets and StatefulSets that a wrong patch of ours could cause.
 * kubernetes pkg/apis/apps/validation (1.36). `live` is null for an object that is being created.
 */
export function workloadProblems(object: KubeObject, live: KubeObject | null): Problem[] {
  const spec = fieldsOf(object.spec);
  const template = fieldsOf(spec.template);
  const found: Problem[] = [];
  const selector = fieldsOf(spec.selector);
  const wanted = fieldsOf(selector.matchLabels);
  if (!isRecord(spec.selector)) found.push({ field: 'spec.selector', message: 'Required value' });
  else if (Object.keys(wanted).length === 0 && items(selector.matchExpressions).length === 0) {
    found.push({ field: 'spec.selector', message: 'Invalid value: {}: empty selector is invalid' });
  }
  const labels = fieldsOf(fieldsOf(template.metadata).labels);
  if (Object.entries(wanted).some(([name, value]) => labels[name] !== value)) {
    found.push({
      field: 'spec.template.metadata.labels',
      message: 'Invalid value: `selector` does not match template `labels`',
    });
  }
  if (live && !same(fieldsOf(live.spec).selector, spec.selector)) {
    found.push({ field: 'spec.selector', message: 'Invalid value: field is immutable' });
  }
  const strategy = fieldsOf(spec.strategy);
  if (strategy.type === 'Recreate' && strategy.rollingUpdate !== undefined) {
    found.push({
      field: 'spec.strategy.rollingUpdate',
      message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
    });
  }
  for (const name of ['replicas', 'minReadySeconds', 'revisionHistoryLimit']) {
    const value = spec[name];
    if (typeof value === 'number' && value < 0) {
      found.push({ field: `spec.${name}`, message: `Invalid value: ${value}: must be greater than or same to 0` });
    }
  }
  return [...found, ...podProblems(fieldsOf(template.spec), 'spec.template.spec')];
}

function podProblems(spec: Fields, path: string): Problem[] {
  const found: Problem[] = [];
  const containers = items(spec.containers);
  if (containers.length === 0) found.push({ field: `${path}.containers`, message: 'Required value' });
  const volumes = new Set(items(spec.volumes).map(({ name }) => name));
  const seen = new Set<unknown>();
  for (const list of ['initContainers', 'containers']) {
    items(spec[list]).forEach((container, index) => {
      const at = `${path}.${list}[${index}]`;
      if (!container.name) found.push({ field: `${at}.name`, message: 'Required value' });
      else if (seen.has(container.name))
        found.push({ field: `${at}.name`, message: `Duplicate value: "${container.name}"` });
      seen.add(container.name);
      if (!container.image) found.push({ field: `${at}.image`, message: 'Required value' });
      found.push(...mountProblems(container, at, volumes), ...probeProblems(container, at));
    });
  }
  return found;
}

function mountProblems(container: Fields, path: string, volumes: ReadonlySet<unknown>): Problem[] {
  const found: Problem[] = [];
  const seen = new Set<unknown>();
  items(container.volumeMounts).forEach((mount, index) => {
    const at = `${path}.volumeMounts[${index}]`;
    if (!mount.name) found.push({ field: `${at}.name`, message: 'Required value' });
    else if (!volumes.has(mount.name)) found.push({ field: `${at}.name`, message: `Not found: "${mount.name}"` });
    if (!mount.mountPath) found.push({ field: `${at}.mountPath`, message: 'Required value' });
    else if (seen.has(mount.mountPath))
      found.push({ field: `${at}.mountPath`, message: `Invalid value: "${mount.mountPath}": must be unique` });
    seen.add(mount.mountPath);
  });
  return found;
}

function probeProblems(container: Fields, path: string): Problem[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name];
    const handled =
      !isRecord(probe) || ['exec', 'httpGet', 'tcpSocket', 'grpc'].some((handler) => isRecord(probe[handler]));
    return handled ? [] : [{ field: `${path}.${name}`, message: 'Required value: must specify a handler type' }];
  });
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
