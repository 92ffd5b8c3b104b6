import { z } from 'zod';
import type { Facts } from '#lib/facts/index.ts';
import { defaultRegistryOf } from '#lib/spec/index.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { agentImage, registryOf } from '../reading/images.ts';
import { installationId, isManifestInstall } from '../reading/installation.ts';
import { quoted } from '../wording/sentences.ts';

/** The value that selects the default in an Installation (calico.md §2.1). */
const useDefault = 'UseDefault';
const registrySchema = z.object({ spec: z.object({ registry: z.string() }) });

export const upgradeRegistryMoved = defineUpgradeCheck({
  id: 'upgrade.registry-moved',
  severity: 'warning',
  reads: [],
  title: 'Images still come from the same registry',
  gap: 'Images would come from another registry',
  topic: 'Registry of the images',
  ifIgnored: 'Nodes may not pull the new images',
  consequence:
    'Nodes that reach only a mirror or an allow-list for the earlier registry cannot pull the new images: the upgrade stops at the first node.',
  remedy: {
    steps: [
      'Mirror the images, or allow the new registry on every node.',
      'If you mirror them, set Installation spec.registry to the mirror.',
      'Accept this when every node can pull them.',
    ],
  },
  source: 'pain H27; pain §2',
  evaluate: ({ from, to }, facts) => {
    const by = isManifestInstall(facts) ? 'manifest' : 'the operator';
    const set = by === 'manifest' ? null : registryIn(facts);
    if (set !== null) {
      return {
        kind: 'pass',
        because: `Installation spec.registry is ${quoted(set)}: see that it holds the images of ${to} too.`,
        evidence: [{ object: installationId, path: 'spec.registry', value: set }],
      };
    }
    const running = agentImage(facts);
    const before = running === null ? defaultRegistryOf(from, by) : registryOf(running.image);
    const after = defaultRegistryOf(to, by);
    if (before === null || after === null) {
      const which = after === null ? to : from;
      return {
        kind: 'unknown',
        because: `The default registry of ${which} was not read: the images may move.`,
        remedy: { ...upgradeRegistryMoved.remedy, command: 'signalbox spec releases -o markdown' },
      };
    }
    if (before === after) return { kind: 'pass', because: `Both releases get their images from ${after}.` };
    const object = running?.object ?? installationId;
    const [name = object, kind = 'Object', namespace = null] = object.split('/').reverse();
    return {
      kind: 'fail',
      because: `Images come from ${before} now, and from ${after} with ${to}.`,
      subjects: [{ kind, namespace, name, detail: `gets its images from ${before}` }],
      remedy: {
        ...upgradeRegistryMoved.remedy,
        ...(by === 'manifest'
          ? { steps: inTheManifest }
          : {
              command: `kubectl patch installation default --type merge --patch '{"spec":{"registry":"REGISTRY/"}}'`,
            }),
      },
      evidence: running
        ? [{ object, path: 'spec.template.spec.containers[calico-node].image', value: running.image }]
        : [],
    };
  },
});

/** Remedy for manifest installations, where no Installation rewrites the names of images. */
const inTheManifest = [
  'Mirror the images, or allow the new registry on every node.',
  'Where they are mirrored, write the mirror into the images of the new manifest.',
  'Accept this when every node can pull them.',
];

function registryIn({ resources: { objects } }: Facts): string | null {
  const parsed = registrySchema.safeParse(objects[installationId]);
  if (!parsed.success) return null;
  const { registry } = parsed.data.spec;
  return registry === '' || registry === useDefault ? null : registry;
}
