import { type Fields, isRecord } from '#lib/base/records.ts';

/** Defaults of a pod's spec, in pods and in templates. kubernetes pkg/apis/core/v1/defaults.go (1.36). `spec` is changed in place. */
export function setPodSpecDefaults(spec: Fields): void {
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.dnsPolicy ??= 'ClusterFirst';
  spec.securityContext ??= {};
  spec.schedulerName ??= 'default-scheduler';
  // The deprecated alias is kept equal by the server's conversions.
  spec.serviceAccountName ??= spec.serviceAccount;
  spec.serviceAccount = spec.serviceAccountName;
  if (spec.serviceAccountName === undefined) {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const container of items(spec[list])) setContainerDefaults(container);
  for (const volume of items(spec.volumes)) setVolumeDefaults(volume);
}

function setContainerDefaults(container: Fields): void {
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
  container.imagePullPolicy ??= isLatest(container.image) ? 'Always' : 'IfNotPresent';
  for (const port of items(container.ports)) port.protocol ??= 'TCP';
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (!isRecord(probe)) continue;
    probe.timeoutSeconds ??= 1;
    probe.periodSeconds ??= 10;
    probe.successThreshold ??= 1;
    probe.failureThreshold ??= 3;
    setHandlerDefaults(probe);
  }
  if (isRecord(container.lifecycle)) {
    for (const name of ['postStart', 'preStop']) {
      const handler = container.lifecycle[name];
      if (isRecord(handler)) setHandlerDefaults(handler);
    }
  }
  for (const variable of items(container.env)) {
    const reference = isRecord(variable.valueFrom) ? variable.valueFrom.fieldRef : undefined;
    if (isRecord(reference)) reference.apiVersion ??= 'v1';
  }
}

function setHandlerDefaults(handler: Fields): void {
  if (isRecord(handler.httpGet)) {
    handler.httpGet.path ??= '/';
    handler.httpGet.scheme ??= 'HTTP';
  }
  if (isRecord(handler.grpc)) handler.grpc.service ??= '';
}

/** An image without tag and digest means `latest`. */
function isLatest(image: unknown): boolean {
  if (typeof image !== 'string' || image.includes('@')) return false;
  const tag = /:([^:/]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest';
}

function setVolumeDefaults(volume: Fields): void {
  if (Object.keys(volume).every((name) => name === 'name')) volume.emptyDir = {};
  for (const name of ['configMap', 'secret', 'downwardAPI', 'projected']) {
    const source = volume[name];
    if (isRecord(source)) source.defaultMode ??= 420;
  }
  if (isRecord(volume.hostPath)) volume.hostPath.type ??= '';
  if (isRecord(volume.projected)) {
    for (const source of items(volume.projected.sources)) {
      if (isRecord(source.serviceAccountToken)) source.serviceAccountToken.expirationSeconds ??= 3600;
      setFieldRefDefaults(source.downwardAPI);
    }
  }
  setFieldRefDefaults(volume.downwardAPI);
}

function setFieldRefDefaults(downwardApi: unknown): void {
  if (!isRecord(downwardApi)) return;
  for (const item of items(downwardApi.items)) if (isRecord(item.fieldRef)) item.fieldRef.apiVersion ??= 'v1';
}

/** The records of a list; empty if the value is no list. Items of other types are left out. */
export function items(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
