import { counted, inList } from '#lib/base/words.ts';
import { podKindsOf, probeNames } from '#lib/probe/index.ts';
import type { PreparedProbe } from './prepare-probe.ts';

/** Names that are listed at the most. */
const mostNamed = 10;
const reasons = { windows: 'Windows', virtual: 'no machine behind it' } as const;

/**
 * What both faces say before a test of the nodes. `makes`: a sentence, with names in backticks, of what is created where. `withoutPod`: a sentence that
 * names the nodes that get no pod, with the reason; null: each node gets one.
 */
export function probeInWords({ question, settings, agentless }: Omit<PreparedProbe, 'plan'>): {
  makes: string;
  withoutPod: string | null;
} {
  const count = podKindsOf(settings).length;
  const pods = count === 1 ? 'a privileged pod' : `${count === 2 ? 'two' : 'three'} pods, one of them privileged,`;
  const secrets = (settings.pullSecrets ?? []).map(({ namespace, name }) => `${namespace}/${name}`).join(', ');
  const copies = secrets === '' ? '' : `, and copies of Secret ${secrets}`;
  const named = agentless.map(({ name, why }) => `${name} (${reasons[why]})`);
  return {
    makes: `Makes namespace \`${probeNames.namespace}\` with ${pods} on each of ${counted(question.nodes.length, 'node')}, from \`${settings.image}\`${copies}.`,
    withoutPod:
      named.length === 0
        ? null
        : `No pod on ${counted(named.length, 'node')} without an agent: ${inList(named, mostNamed)}.`,
  };
}
