import type { V1DaemonSet } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { aFacts, aNode } from '#lib/checks/testing/a-facts.ts';
import type { NodeFact } from '#lib/facts/index.ts';
import { probeObjects } from '#lib/probe/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { type PreparedProbe, prepareProbe } from './prepare-probe.ts';
import { probeInWords } from './probe-in-words.ts';

const choices = choicesSchema.parse({ goal: 'enable' });
const linux = aNode({ name: 'linux', addresses: ['192.0.2.1'] });
const belied = aNode({ name: 'belied', addresses: ['192.0.2.2'], osLabel: 'windows' });
const windows = aNode({ name: 'win', os: 'windows' });
const windowsAsLinux = aNode({ name: 'win-as-linux', os: 'windows', osLabel: 'linux' });
const virtual = aNode({ name: 'fargate', virtual: true });

function prepared(nodes: readonly NodeFact[]): PreparedProbe {
  const made = prepareProbe({ ...aFacts(), nodes: [...nodes] }, choices, {
    image: 'x',
    nodes: null,
    nodeSelector: { pool: 'a' },
  });
  if ('because' in made) throw new Error(made.because);
  return made;
}

/** The nodes that the DaemonSets of a probe select: by Linux's label, or by these names. */
function selected({ settings }: PreparedProbe): unknown[] {
  return probeObjects(settings).flatMap((object) => {
    if (object.kind !== 'DaemonSet') return [];
    const pod = (object as unknown as V1DaemonSet).spec?.template.spec;
    const terms = pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
    return [[pod?.nodeSelector, terms?.flatMap(({ matchFields }) => matchFields?.[0]?.values ?? [])]];
  });
}

const byLabel = [{ 'kubernetes.io/os': 'linux', pool: 'a' }, undefined];
const byName = (...names: string[]) => [{ pool: 'a' }, names];

test.each([
  ['each has its label', [linux, windows], byLabel],
  ['a Linux node is labelled windows', [linux, belied], byName('linux', 'belied')],
  ['a Windows node is labelled linux', [linux, windowsAsLinux], byName('linux')],
  ['a virtual node is labelled linux', [linux, virtual], byName('linux')],
])('pods go to the nodes that are tested, and to no others: %s', (_what, nodes, expected) => {
  const found = selected(prepared(nodes));
  expect(found.length).toBeGreaterThan(1);
  for (const one of found) expect(one).toEqual(expected);
});

test('nodes without a pod are named, each with the reason', () => {
  expect(probeInWords(prepared([linux, belied])).withoutPod).toBeNull();
  expect(probeInWords(prepared([linux, windows, virtual])).withoutPod).toBe(
    'No pod on 2 nodes without an agent: win (Windows) and fargate (no machine behind it).',
  );
});

test('the objects of a preflight are described with nodes, image and copied Secrets', () => {
  const { settings, ...rest } = prepared([linux, belied]);
  const pullSecrets = [{ namespace: 'calico-system', name: 'mirror' }];
  expect(probeInWords({ ...rest, settings: { ...settings, images: [], pullSecrets } }).makes).toBe(
    'Makes namespace `signalbox-probe` with two pods, one of them privileged, on each of 2 nodes, from `x`, and copies of Secret calico-system/mirror.',
  );
  expect(probeInWords({ ...rest, settings: { ...settings, images: [], podNetwork: 'not-yet' } }).makes).toBe(
    'Makes namespace `signalbox-probe` with a privileged pod on each of 2 nodes, from `x`.',
  );
});
