import { createHash } from 'node:crypto';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { missingRight, probeObjects, probeScript, rightInWords } from '#lib/probe/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import type { PreparedProbe } from './prepare-probe.ts';

/** What a preflight would make, for whoever decides. `digest` names exactly this. */
export type ProbeOffer =
  | {
      readonly kind: 'offered';
      readonly digest: string;
      readonly nodes: number;
      /** That there are: a sample of them is tested where these are more. */
      readonly of: number;
      /** `namespace/name` of Secrets that are copied, for pulling. */
      readonly secrets: readonly string[];
      readonly podsOnEach: number;
      readonly image: string;
      /** That every node runs. */
      readonly script: string;
      /** The objects as YAML; `script` stands in each pod's command, and is left out here. */
      readonly objects: string;
    }
  | { readonly kind: 'refused'; readonly because: string };

/** `refused` where a right is missing, with its rule. */
export async function offeredProbe(kube: Kube, prepared: PreparedProbe, signal: AbortSignal): Promise<ProbeOffer> {
  const missing = kube.source === 'live' ? await missingRight(kube, prepared.settings, signal) : null;
  if (missing !== null) return { kind: 'refused', because: rightInWords(missing) };
  const { question, settings } = prepared;
  const objects = probeObjects(settings);
  return {
    kind: 'offered',
    digest: createHash('sha256').update(JSON.stringify(objects)).digest('hex').slice(0, 16),
    nodes: question.nodes.length,
    of: prepared.of,
    secrets: (settings.pullSecrets ?? []).map(({ namespace, name }) => `${namespace}/${name}`),
    podsOnEach: objects.filter(({ kind }) => kind === 'DaemonSet').length,
    image: settings.image,
    script: probeScript,
    objects: objects.map((object) => yamlText(withoutScript(object))).join('---\n'),
  };
}

function withoutScript(object: KubeObject): KubeObject {
  return JSON.parse(JSON.stringify(object), (_key, value) => (value === probeScript ? 'the script above' : value));
}
