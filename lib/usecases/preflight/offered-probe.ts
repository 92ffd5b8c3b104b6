import { createHash } from 'node:crypto';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { missingRight, probeObjects, probeScript, rightInWords, waysOf } from '#lib/probe/index.ts';
import type { MissingRule } from '#lib/spec/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import type { PreparedProbe } from './prepare-probe.ts';

/** What a preflight would make, for whoever decides. `digest` names exactly this. */
export type ProbeOffer =
  | {
      readonly kind: 'offered';
      readonly digest: string;
      readonly nodes: number;
      /** `namespace/name` of Secrets that are copied, for pulling. */
      readonly secrets: readonly string[];
      readonly podsOnEach: number;
      readonly image: string;
      /** That every node runs. */
      readonly script: string;
      /** The objects as YAML, the first of those that differ in their nodes alone; `script` stands in each pod's command, and is left out here. */
      readonly objects: string;
    }
  | { readonly kind: 'refused'; readonly because: string };

/** The first right that this test needs and the account has not; null: it has all, or nothing is made there. */
export async function missingForProbe(
  kube: Kube,
  prepared: PreparedProbe,
  signal: AbortSignal,
): Promise<MissingRule | null> {
  return kube.source === 'live' ? missingRight(kube, prepared.settings, signal) : null;
}

/** `refused` where a right is missing, with its rule. Pure. */
export function offeredProbe(prepared: PreparedProbe, missing: MissingRule | null): ProbeOffer {
  if (missing !== null) return { kind: 'refused', because: rightInWords(missing) };
  const { question, settings } = prepared;
  const objects = probeObjects(settings);
  return {
    kind: 'offered',
    digest: createHash('sha256').update(JSON.stringify(objects)).digest('hex').slice(0, 16),
    nodes: question.nodes.length,
    secrets: (settings.pullSecrets ?? []).map(({ namespace, name }) => `${namespace}/${name}`),
    podsOnEach: waysOf(settings).length,
    image: settings.image,
    script: probeScript,
    objects: shown(objects)
      .map((object) => yamlText(withoutScript(object)))
      .join('---\n'),
  };
}

/** Of DaemonSets that differ in their nodes alone the first: thousands of nodes are named in them, and `signalbox preflight --show` prints each. */
function shown(objects: readonly KubeObject[]): KubeObject[] {
  const isFurther = ({ kind, metadata: { name = '' } }: KubeObject) => kind === 'DaemonSet' && /-\d+$/.test(name);
  return objects.filter((object) => !isFurther(object));
}

function withoutScript(object: KubeObject): KubeObject {
  return JSON.parse(JSON.stringify(object), (_key, value) => (value === probeScript ? 'the script above' : value));
}
