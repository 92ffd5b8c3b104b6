import type { V1DaemonSet } from '@kubernetes/client-node';
import type { KubeObject, ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { secondsToEnd } from './durations.ts';
import { namespaceWithAccount } from './namespace-with-account.ts';
import { environmentOf, linuxLabel, onNodes, withoutRights } from './pod-fields.ts';
import { groupsOf, type PodKind, podKindsOf } from './pod-kinds.ts';
import { probeEnvironment, scriptOf } from './pod-script.ts';
import { probeNames } from './probe-names.ts';
import type { ProbeSettings } from './settings.ts';

/** Everything that a preflight creates, in order. It is deleted in the reverse order. */
export function probeObjects(settings: ProbeSettings): KubeObject[] {
  const labels = { [names.managedByLabel]: names.fieldManager };
  // Their content is read when they are copied.
  const secrets = (settings.pullSecrets ?? []).map(({ name }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: probeNames.namespace, labels },
  }));
  const daemonSets = podKindsOf(settings).flatMap((podKind) =>
    groupsOf(podKind, settings).map((_, group) => daemonSet(podKind, settings, group)),
  );
  return [...namespaceWithAccount(probeNames), ...secrets, ...daemonSets];
}

/** The ids of all these objects, as `namespace/Kind/name`. */
export function probeObjectIds(settings: ProbeSettings): string[] {
  return probeObjects(settings).map(({ kind, metadata: { namespace, name } }) =>
    [namespace, kind, name].filter((part) => part !== undefined).join('/'),
  );
}

function daemonSet(podKind: PodKind, settings: ProbeSettings, group: number): ObjectToWrite<V1DaemonSet> {
  const name = group === 0 ? probeNames[podKind] : `${probeNames[podKind]}-${group + 1}`;
  const labels = { 'app.kubernetes.io/name': name, [names.managedByLabel]: names.fieldManager };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: probeNames.namespace, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      // All at once, because they serve nothing.
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: probeNames.account,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: secondsToEnd,
          nodeSelector: { ...(settings.select === 'names' ? {} : linuxLabel), ...settings.nodeSelector },
          ...affinityOf(podKind, settings, group),
          tolerations: [{ operator: 'Exists' }],
          // The node's resolver, as the agent uses it before cluster DNS works. No hostPath volume: docs/security.md says why.
          ...(podKind === 'host' ? { hostNetwork: true, hostPID: true, dnsPolicy: 'Default' } : {}),
          // On the host's network, so that images can be pulled before there is a pod network.
          ...(podKind === 'images' ? { hostNetwork: true } : {}),
          ...((settings.pullSecrets ?? []).length > 0
            ? { imagePullSecrets: settings.pullSecrets?.map(({ name }) => ({ name })) ?? [] }
            : {}),
          containers:
            podKind === 'images' ? imageContainers(settings.images ?? []) : [scriptContainer(podKind, settings, group)],
        },
      },
    },
  };
}

/**
 * The pods of a DaemonSet name one node each, whatever is written here (kubernetes pkg/controller/daemon/util:
 * ReplaceDaemonSetPodNodeNameNodeAffinity).
 */
function affinityOf(podKind: PodKind, settings: ProbeSettings, group: number) {
  const groups = groupsOf(podKind, settings);
  if (settings.select !== 'names' && groups.length === 1) return {};
  return { affinity: onNodes((groups[group] ?? []).flatMap((index) => settings.names?.[index] ?? [])) };
}

function scriptContainer(podKind: 'host' | 'pod', settings: ProbeSettings, group: number) {
  return {
    name: probeNames.containers[podKind],
    image: settings.image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/bash', '-c', scriptOf(podKind, settings)],
    env: environmentOf(probeEnvironment(podKind, settings, group)),
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '256Mi' } },
    securityContext: podKind === 'host' ? { privileged: true } : withoutRights,
  };
}

/** The command exists in no image: the image is pulled, the container cannot start, and nothing of the image runs. */
function imageContainers(images: readonly string[]) {
  return images.map((image, index) => ({
    name: `image-${index}`,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/signalbox-runs-nothing'],
    resources: { requests: { cpu: '1m', memory: '4Mi' }, limits: { memory: '32Mi' } },
    securityContext: withoutRights,
  }));
}
