import { hostAndPort } from '#lib/base/ip.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, gates, inRange, names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck, type Result } from '../check.ts';
import { configMapId, configMapSubject } from '../reading/effective-endpoint.ts';
import { bootstrapMode, calicoNetworkEvidence, installationId, isManifestInstall } from '../reading/installation.ts';

/** The operator refuses the two together with a message that ends in `%!w` (calico.md §2.4 item 12, §13 item 1). */
export const endpointBootstrapExclusive = defineCheck({
  id: 'endpoint.bootstrap-exclusive',
  group: 'API endpoint',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['installation', 'endpointConfigMaps'],
  title: 'The endpoint is given in one way only',
  gap: 'Automatic mode and an endpoint exclude each other',
  topic: 'Way in which the endpoint is given',
  ifIgnored: 'The operator stops rolling anything out',
  consequence:
    'The operator goes Degraded ("bpfNetworkBootstrap is Enabled but the requirements are not met") and stops rolling anything out.',
  remedy: {
    steps: ['Set bpfNetworkBootstrap to Disabled, or delete the ConfigMap and restart the operator.', 'Check again.'],
    fixIn: 'endpoint',
  },
  source: 'pain A10',
  run: (facts, choices) => {
    const mode = bootstrapMode(facts, choices);
    const tooOld = mode === 'chosen' ? withoutTheField(facts, choices) : null;
    if (tooOld !== null) return tooOld;
    const { configMap } = facts.endpoint;
    const chosen = choices.endpoint;
    // The operator may be known without its Installation, which alone has the field.
    const isUnread = facts.resources.objects[installationId] === undefined && !isManifestInstall(facts);
    if (mode === 'off' && isUnread && (configMap || chosen))
      return { kind: 'unknown', because: 'The field bpfNetworkBootstrap could not be read.' };
    if (mode === 'off') return { kind: 'pass', because: 'bpfNetworkBootstrap is off.', restsOn: ['installation'] };
    if (!configMap && !chosen && mode === 'chosen' && choices.goal !== 'install' && !facts.installation.version)
      return { kind: 'unknown', because: 'The release that runs was not read, and not every one has automatic mode.' };
    if (!configMap && !chosen) {
      return {
        kind: 'pass',
        because: 'bpfNetworkBootstrap is on and there is no endpoint ConfigMap.',
        // The mode exists only in some releases, so the release must be known if the mode is only chosen.
        restsOn: mode === 'chosen' ? ['endpointConfigMaps', 'installation'] : ['endpointConfigMaps'],
      };
    }
    const namespace = configMap?.namespace ?? facts.installation.endpointNamespace;
    const detail = mode === 'installed' ? 'bpfNetworkBootstrap is Enabled' : 'Automatic mode is chosen';
    const other = configMap
      ? `the ConfigMap ${namespace}/${names.endpointConfigMap} exists`
      : `the endpoint ${chosen ? hostAndPort(chosen) : ''} is chosen`;
    return {
      kind: 'fail',
      because: `${detail}, and ${other}: the operator takes only one of the two.`,
      subjects: [
        { kind: 'Installation', namespace: null, name: names.installation, detail },
        configMap
          ? configMapSubject(namespace, 'exists')
          : configMapSubject(namespace, 'would be written for the chosen endpoint'),
      ],
      remedy: {
        ...endpointBootstrapExclusive.remedy,
        ...(configMap
          ? {
              command: `kubectl -n ${shellWord(namespace)} delete configmap ${names.endpointConfigMap}\nkubectl -n ${shellWord(namespace)} rollout restart deployment ${names.operatorDeployment}`,
            }
          : {}),
      },
      evidence: [
        calicoNetworkEvidence(facts, 'bpfNetworkBootstrap'),
        ...(configMap
          ? [{ object: configMapId(namespace), path: 'metadata.name', value: names.endpointConfigMap }]
          : []),
      ],
    };
  },
});

/** Gate V17: releases without the automatic mode. */
const lacking = gates.find(({ id }) => id === 'V17')?.toRelease ?? [];

function withoutTheField({ installation }: Facts, { goal, release }: Choices): Result | null {
  const runs = goal === 'install' ? release : installation.version;
  if (!runs || !lacking.some((range) => inRange(runs, range) === 'yes')) return null;
  return {
    kind: 'fail',
    because: `Automatic mode is chosen, and ${runs} does not have it: bpfNetworkBootstrap exists from v3.31.0 on (gate V17).`,
    subjects: [
      { kind: 'Installation', namespace: null, name: names.installation, detail: `${runs} has no bpfNetworkBootstrap` },
    ],
    remedy: {
      steps: ['Choose v3.31.0 or later, or give an endpoint instead of automatic mode.', 'Check again.'],
      fixIn: 'endpoint',
    },
  };
}
