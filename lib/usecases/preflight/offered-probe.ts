import { createHash } from 'node:crypto';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import {
  historyInWords,
  missingRight,
  type ProbeSettings,
  podKindOf,
  podKindsOf,
  probeObjectIds,
  probeObjects,
  rightInWords,
  scriptOf,
} from '#lib/probe/index.ts';
import type { MissingRule } from '#lib/spec/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import type { PreparedProbe } from './prepare-probe.ts';
import { probeInWords } from './probe-in-words.ts';

/** What a preflight would create, for the user to decide. `digest` identifies exactly this. */
export type ProbeOffer =
  | {
      readonly kind: 'offered';
      readonly digest: string;
      readonly nodes: number;
      /** A sentence of what is created where, with names in backticks. */
      readonly makes: string;
      /** A sentence that names the nodes that get no pod, with the reason; null: each node gets one. */
      readonly withoutPod: string | null;
      /** The script that each node's host pod runs. */
      readonly script: string;
      /** The script that pods on the pod network run; null if there are none. */
      readonly podScript: string | null;
      /** All objects, as `namespace/Kind/name`. */
      readonly ids: readonly string[];
      /** The objects as YAML, without the scripts in the pods' commands. Of DaemonSets that differ only in their nodes, the first. */
      readonly objects: string;
      /** A sentence, if so much is written that etcd's history grows noticeably; else null. */
      readonly history: string | null;
    }
  | { readonly kind: 'refused'; readonly because: string };

/** The first right that this account lacks for the test; null if it has all, or if the test creates nothing. */
export async function missingForProbe(
  kube: Kube,
  prepared: PreparedProbe,
  signal: AbortSignal,
): Promise<MissingRule | null> {
  return kube.source === 'live' ? missingRight(kube, prepared.settings, signal) : null;
}

/** The offer; `refused` with the missing rule if a right is missing. Pure. */
export function offeredProbe(prepared: PreparedProbe, missing: MissingRule | null): ProbeOffer {
  if (missing !== null) return { kind: 'refused', because: rightInWords(missing) };
  const { question, settings } = prepared;
  const objects = probeObjects(settings);
  return {
    kind: 'offered',
    digest: createHash('sha256').update(JSON.stringify(objects)).digest('hex').slice(0, 16),
    nodes: question.nodes.length,
    ...probeInWords(prepared),
    script: scriptOf('host', settings),
    podScript: podKindsOf(settings).includes('pod') ? scriptOf('pod', settings) : null,
    ids: probeObjectIds(settings),
    objects: inYaml(objects, settings),
    history: historyInWords(settings),
  };
}

/**
 * Shows the first of several DaemonSets that differ only in their nodes, and says how many follow: they name thousands of nodes. `signalbox preflight
 * --show` prints each.
 */
function inYaml(objects: readonly KubeObject[], settings: ProbeSettings): string {
  const isFurther = ({ kind, metadata: { name = '' } }: KubeObject) => kind === 'DaemonSet' && /-\d+$/.test(name);
  const furtherOf = ({ metadata: { name = '' } }: KubeObject) =>
    objects.filter((object) => isFurther(object) && podKindOf(object.metadata.name ?? '') === podKindOf(name)).length;
  const shown = objects.filter((object) => !isFurther(object));
  return shown
    .map((object) => {
      const further = object.kind === 'DaemonSet' ? furtherOf(object) : 0;
      const more = further > 0 ? `# ${further} more like this one, for the other nodes.\n` : '';
      return `${yamlText(withoutScripts(object, settings))}${more}`;
    })
    .join('---\n');
}

function withoutScripts(object: KubeObject, settings: ProbeSettings): KubeObject {
  const above = new Map([
    [scriptOf('host', settings), 'the script above'],
    [scriptOf('pod', settings), 'the script of the pod network above'],
  ]);
  return JSON.parse(JSON.stringify(object), (_key, value) => above.get(value) ?? value);
}
