import { z } from 'zod';
import { type KubeObject, rolloutCounts } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { condition } from '../installation/installation.ts';
import { daemonSetStatusOf } from '../rollout.ts';
import type { Row, Step } from './row.ts';

/** One event of a recording or a replay. */
export type RecordedEvent = { t: number; mark: string } | { t: number; isDeleted: boolean; object: KubeObject };

type Meaning = { object: string; read(object: KubeObject | null): Record<string, string> };

const text = (value: unknown): string => (value === undefined || value === null ? '–' : String(value));

const conditions = z.object({ conditions: z.array(condition).default([]) });

/** Classes of messages. Numbers in a message depend on the time of the look, and do not count. */
const messageClasses: readonly [RegExp, string][] = [
  [/^$/, 'nothing'],
  [/^All objects available$/i, 'all well'],
  [/%!w/, 'raw %!w'],
  [/Failed to write default status/, 'default status lost'],
  [/rolling out|not available \(awaiting|not yet scheduled|being processed/, 'rolling'],
];

function classOf(message: string): string {
  return messageClasses.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}

/** The condition as `True @6 rolling`: status, observed generation, class of the message. */
function conditionIn(status: KubeObject | null, type: string): string {
  const found = conditions.safeParse(status?.status ?? {}).data?.conditions.find((one) => one.type === type);
  if (!found) return '–';
  return `${found.status} @${text(found.observedGeneration)} ${classOf(found.message ?? '')}`;
}

function nodeEnv(daemonSet: KubeObject | null, name: string): string {
  const containers = memberAt(daemonSet, 'spec', 'template', 'spec', 'containers');
  const parsed = z
    .array(
      z.looseObject({ env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]) }),
    )
    .safeParse(containers);
  return text(parsed.data?.[0]?.env.find((one) => one.name === name)?.value);
}

/** The fields that count in a recording. All other changes are left out. */
const meanings: Record<string, Meaning> = {
  'Installation/default': {
    object: 'Installation',
    read: (object) => ({
      linuxDataplane: text(memberAt(object, 'spec', 'calicoNetwork', 'linuxDataplane')),
      hostPorts: text(memberAt(object, 'spec', 'calicoNetwork', 'hostPorts')),
      calicoVersion: text(memberAt(object, 'status', 'calicoVersion')),
    }),
  },
  'FelixConfiguration/default': {
    object: 'FelixConfiguration',
    read: (object) => ({
      nftablesMode: text(memberAt(object, 'spec', 'nftablesMode')),
      bpfEnabled: text(memberAt(object, 'spec', 'bpfEnabled')),
      annotation: text(object?.metadata.annotations?.[names.bpfEnabledAnnotation]),
    }),
  },
  'DaemonSet/calico-node': {
    object: 'calico-node',
    read: (object) => ({
      generation: text(object?.metadata.generation),
      rollout:
        object && rolloutCounts(object).complete && daemonSetStatusOf(object).desiredNumberScheduled > 0
          ? `complete @${object.metadata.generation}`
          : 'under way',
      host: nodeEnv(object, names.endpointHostKey),
    }),
  },
  'DaemonSet/kube-proxy': {
    object: 'kube-proxy',
    read: (object) => ({
      selector:
        memberAt(object, 'spec', 'template', 'spec', 'nodeSelector', names.operatorProxySelector) === undefined
          ? '–'
          : 'off',
      pods:
        object && daemonSetStatusOf(object).desiredNumberScheduled > 0 && rolloutCounts(object).complete
          ? 'ready everywhere'
          : 'not everywhere',
    }),
  },
  'TigeraStatus/calico': {
    object: 'TigeraStatus calico',
    read: (object) => ({
      Available: conditionIn(object, 'Available'),
      Progressing: conditionIn(object, 'Progressing'),
      Degraded: conditionIn(object, 'Degraded'),
    }),
  },
  'TigeraStatus/kubeproxy-monitor': {
    object: 'TigeraStatus kubeproxy-monitor',
    read: (object) => ({ Available: object ? conditionIn(object, 'Available') : 'deleted' }),
  },
};

/** Whether the value only flickers. How often it is set and unset depends on a race, so one occurrence represents all. */
function flickers(earlier: readonly Row[], object: string, field: string, value: string): boolean {
  if (field !== 'calicoVersion') return false;
  const values = earlier.filter((row) => row[1] === object && row[2] === field).map((row) => row[3]);
  const [first, second, third] = values.slice(-3);
  return value === second && first === third && second === '–' && first !== undefined;
}

/** The steps of a recording with the changes that count. What was there before the first mark is no change. */
export function distil(events: Iterable<RecordedEvent>): Step[] {
  const steps: { mark: string; at: number; rows: Row[] }[] = [];
  const known = new Map<string, Record<string, string>>();
  for (const event of events) {
    if ('mark' in event) {
      steps.push({ mark: event.mark, at: event.t, rows: [] });
      continue;
    }
    const { object } = event;
    const key = `${object.kind}/${object.metadata.name}`;
    const meaning = meanings[key];
    if (!meaning) continue;
    const before = known.get(key) ?? meaning.read(null);
    const now = meaning.read(event.isDeleted ? null : object);
    known.set(key, now);
    const step = steps.at(-1);
    if (!step) continue;
    for (const [field, value] of Object.entries(now)) {
      if (before[field] === value) continue;
      if (flickers(step.rows, meaning.object, field, value)) now[field] = before[field] ?? '';
      else step.rows.push([Math.round((event.t - step.at) * 10) / 10, meaning.object, field, value]);
    }
  }
  return steps;
}

const line = z.union([
  z.object({ t: z.number(), mark: z.string() }),
  z.looseObject({
    t: z.number(),
    type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
    object: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.looseObject({ name: z.string() }) }),
  }),
  z.looseObject({ t: z.number() }),
]);

/** The events of a recording's JSON lines. Closed watches and their errors are left out. */
export function recordedEvents(jsonLines: string): RecordedEvent[] {
  return jsonLines
    .split('\n')
    .filter((one) => one.trim() !== '')
    .flatMap((one): RecordedEvent[] => {
      const read = line.parse(JSON.parse(one));
      if ('mark' in read && typeof read.mark === 'string') return [{ t: read.t, mark: read.mark }];
      if (!('object' in read) || !('type' in read)) return [];
      return [{ t: read.t, isDeleted: read.type === 'DELETED', object: read.object as KubeObject }];
    });
}
