import { z } from 'zod';
import { hostAndPort } from '#lib/base/ip.ts';
import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck, type Result } from '../check.ts';
import { noneNeeded } from '../framework/endpoint-check.ts';
import { configMapId, configMapSubject, effectiveEndpoint } from '../reading/effective-endpoint.ts';
import { bootstrapMode } from '../reading/installation.ts';
import { listed, quoted } from '../wording/sentences.ts';

const dataSchema = z.object({ data: z.record(z.string(), z.unknown()).catch({}) });

/** The operator silently uses the ClusterIP if it finds no ConfigMap, or other keys, where it looks (pain A5). */
export const endpointNamespace = defineCheck({
  id: 'endpoint.namespace',
  group: 'API endpoint',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['endpointConfigMaps'],
  title: 'Endpoint ConfigMap: right namespace, right keys',
  gap: 'Endpoint ConfigMap: wrong namespace or keys',
  topic: 'Endpoint ConfigMap',
  ifIgnored: 'Calico keeps using the ClusterIP',
  consequence:
    'A ConfigMap in another namespace, or with other keys, has no effect: Calico silently keeps using the ClusterIP.',
  remedy: {
    steps: ['Choose the endpoint: the plan writes the ConfigMap where it is read.', 'Delete the other one.'],
    fixIn: 'endpoint',
  },
  source: 'pain A5',
  appliesTo: (facts, choices) => (bootstrapMode(facts, choices) === 'off' ? true : noneNeeded),
  run: (facts, choices) => {
    const { configMap, strays } = facts.endpoint;
    const wanted = facts.installation.endpointNamespace;
    const endpoint = effectiveEndpoint(facts, choices);
    const planWritesIt = endpoint !== null && endpoint.origin !== 'proposal' && endpoint.origin !== 'config-map';
    const fix = { ...endpointNamespace.remedy, ...(planWritesIt ? { autofix: 'endpoint.configmap' } : {}) };

    if (configMap && (configMap.host === '' || configMap.port === '')) return wrongKeys(facts, configMap, fix);
    if (strays.length === 0) return { kind: 'pass' };

    const where = listed(strays.map(({ namespace }) => namespace));
    const evidence = strays.map(({ namespace, host, port }) => ({
      object: configMapId(namespace),
      path: 'data',
      value: { [names.endpointHostKey]: host, [names.endpointPortKey]: port },
    }));
    const command = strays
      .map(({ namespace }) => `kubectl -n ${shellWord(namespace)} delete configmap ${names.endpointConfigMap}`)
      .join('\n');
    if (configMap) {
      return {
        kind: 'fail',
        severity: 'warning',
        because: `Beside the ConfigMap in ${wanted} there ${agreeing(strays.length, 'is another one', 'are others')} in ${where}, where the operator does not look.`,
        subjects: strays.map((stray) =>
          configMapSubject(stray.namespace, `holds ${quoted(hostAndPort(stray))} and is not read`),
        ),
        remedy: {
          steps: ['Delete the one that the operator does not read.', 'Check again.'],
          command,
          fixIn: 'endpoint',
        },
        evidence,
      };
    }
    return {
      kind: 'fail',
      because: `The ConfigMap ${names.endpointConfigMap} is read in ${wanted} and is not there; it is in ${where}.`,
      subjects: strays.map((stray) =>
        configMapSubject(stray.namespace, `holds ${quoted(hostAndPort(stray))} in a namespace where it is not read`),
      ),
      remedy: { ...fix, command },
      evidence,
    };
  },
});

function wrongKeys(
  facts: Facts,
  configMap: NonNullable<Facts['endpoint']['configMap']>,
  remedy: typeof endpointNamespace.remedy,
): Result {
  const object = configMapId(configMap.namespace);
  const parsed = dataSchema.safeParse(facts.resources.objects[object] ?? {});
  const keys = parsed.success ? Object.keys(parsed.data.data) : [];
  const missing = [
    ...(configMap.host === '' ? [names.endpointHostKey] : []),
    ...(configMap.port === '' ? [names.endpointPortKey] : []),
  ];
  const others = keys.filter((key) => key !== names.endpointHostKey && key !== names.endpointPortKey);
  const instead = others.length > 0 ? `; it has ${listed(others.map(quoted))} instead` : '';
  return {
    kind: 'fail',
    because: `The ConfigMap ${configMap.namespace}/${names.endpointConfigMap} does not hold ${listed(missing)}${instead}.`,
    subjects: [configMapSubject(configMap.namespace, `lacks ${listed(missing)}`)],
    remedy: {
      ...remedy,
      steps: [
        `Choose the endpoint: the plan writes ${names.endpointHostKey} and ${names.endpointPortKey}.`,
        'Check again.',
      ],
    },
    evidence: [{ object, path: 'data', value: keys }],
  };
}
