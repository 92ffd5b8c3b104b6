import type { Figure, Goal, Options, Row } from './figures.ts';
import { spread } from './figures.ts';
import { kindsOf, ofObject, type Plane, type Sample, startPlane, type Way } from './planes.ts';

/** By how much the programs are better: the more the better, whichever way the figure runs. */
const ratios = {
  rate: (own: Sample, other: Sample) => own.rate / other.rate,
  CPU: (own: Sample, other: Sample) => other.cpuUs / own.cpuUs,
  p50: (own: Sample, other: Sample) => other.p50 / own.p50,
  p99: (own: Sample, other: Sample) => other.p99 / own.p99,
} as const;
type Ratio = keyof typeof ratios;

/** What a ratio has to be against the better of iptables and nftables, and against the way without a Service. */
type Goals = Partial<Readonly<Record<Ratio, { readonly better?: number; readonly direct?: number }>>>;

type TrafficRow = { readonly name: string; readonly title: string; readonly way: Way; readonly goals: Goals };

/** The goals of the table. */
const rows: readonly TrafficRow[] = [
  {
    name: 'connections',
    title: 'connections of a pod to a ClusterIP',
    way: { from: 'pod', load: 'connections' },
    goals: {
      rate: { better: 1.4, direct: 1 },
      CPU: { better: 1.35, direct: 1 },
      p50: { better: 1.35, direct: 0.97 },
      p99: { better: 1.25, direct: 0.95 },
    },
  },
  {
    name: 'bulk',
    title: 'bulk to a ClusterIP, and CPU for it',
    way: { from: 'pod', load: 'upload' },
    goals: { rate: { better: 1.05, direct: 0.97 }, CPU: { better: 1.15, direct: 1 } },
  },
  {
    name: 'bulk-without-gso',
    title: 'bulk to a ClusterIP, a segment a packet',
    way: { from: 'pod', load: 'upload', withoutGso: true },
    goals: { rate: { better: 1.4, direct: 1.1 }, CPU: { better: 1.4, direct: 1.1 } },
  },
  {
    name: 'ping',
    title: 'a byte to and fro over one TCP connection to a ClusterIP',
    way: { from: 'pod', load: 'ping' },
    goals: { rate: { better: 1.25, direct: 1.05 }, CPU: {}, p50: {}, p99: {} },
  },
  {
    name: 'datagrams',
    title: 'UDP to a ClusterIP, a new socket each',
    way: { from: 'pod', load: 'datagrams' },
    goals: { rate: { better: 1.2, direct: 0.9 }, CPU: {}, p50: {}, p99: {} },
  },
  {
    name: 'node-port',
    title: 'connections from outside to a NodePort with its backend on another node',
    way: { from: 'outside', load: 'connections' },
    goals: {
      rate: { better: 1.25, direct: 0.78 },
      CPU: { better: 1.25, direct: 0.78 },
      p50: { better: 1.35, direct: 0.8 },
      p99: { better: 1, direct: 0.8 },
    },
  },
  {
    name: 'node-port-upload',
    title: 'upload through such a NodePort',
    way: { from: 'outside', load: 'upload' },
    goals: { rate: { better: 1.1, direct: 0.85 }, CPU: { better: 1.15, direct: 0.8 } },
  },
  {
    name: 'node-port-download',
    title: 'download through such a NodePort',
    way: { from: 'outside', load: 'download' },
    goals: { rate: { better: 1.05, direct: 0.85 }, CPU: { better: 1.1, direct: 0.8 } },
  },
  {
    name: 'node-port-dsr',
    title: 'the same connections with DSR',
    way: { from: 'outside', load: 'connections', dsr: true },
    goals: { rate: {}, CPU: { better: 1.3, direct: 0.82 }, p50: {}, p99: {} },
  },
];

/** A sample in which somebody else had more than a tenth of the core is taken again, so many times at most. */
const disturbed = { share: 0.1, again: 4 } as const;

/** Setting up, and what a sample takes beside its own seconds. */
const besideSeconds = { plane: 6, sample: 0.1 } as const;

export const trafficRows: readonly Row[] = [
  ...rows.map(
    ({ name, title, way, goals }): Row => ({
      name,
      title,
      seconds: (options) => options.scales.length * secondsOf(kindsOf(options).length, options),
      async run(options, report) {
        const figures: Figure[] = [];
        for (const scale of options.scales) {
          const planes: Plane[] = [];
          try {
            for (const kind of kindsOf(options)) planes.push(await startPlane(kind, scale, way, options));
            const samples = await inTurns(planes, way, options, report);
            for (const plane of planes)
              report(`${scale} Services, ${plane.name}: ${figuresOf(samples.get(plane) ?? [], way)}`);
            for (const text of planes.map(({ profile }) => profile()).filter(Boolean))
              report(`programs, each: ${text}`);
            figures.push(...compared(`${scale} Services: `, samples, goals));
          } finally {
            for (const plane of planes) await plane.close();
          }
        }
        return figures;
      },
    }),
  ),
  {
    name: 'scale',
    title: 'connections to a ClusterIP with 10,000 Services against 10',
    seconds: (options) => secondsOf(2, options),
    async run(options, report) {
      const way: Way = { from: 'pod', load: 'connections' };
      const planes: Plane[] = [];
      try {
        for (const scale of [10_000, 10]) planes.push(await startPlane('signalbox', scale, way, options));
        const [many, few] = [...(await inTurns(planes, way, options, report)).values()];
        const values = (many ?? []).map((one, at) => ratios.rate(one, few?.[at] ?? one));
        return [{ name: 'rate with 10,000 Services ÷ with 10', values, goal: { atLeast: 0.95 } }];
      } finally {
        for (const plane of planes) await plane.close();
      }
    },
  },
];

const secondsOf = (planes: number, { rounds, seconds }: Options) =>
  planes * (besideSeconds.plane + (rounds + 1) * (seconds + besideSeconds.sample));

/** Rotates which plane is measured first from round to round; the first round only fills caches. */
async function inTurns(
  planes: readonly Plane[],
  way: Way,
  { rounds }: Options,
  report: (line: string) => void,
): Promise<Map<Plane, Sample[]>> {
  const samples = new Map(planes.map((plane) => [plane, [] as Sample[]]));
  let noisy = 0;
  for (let round = -1; round < rounds; round++)
    for (let at = 0; at < planes.length; at++) {
      const plane = planes[(at + Math.max(round, 0)) % planes.length];
      let sample = await plane?.ask(way);
      for (let again = 0; plane && sample && sample.foreign > disturbed.share && again < disturbed.again; again++) {
        const other = await plane.ask(way);
        if (other.foreign < sample.foreign) sample = other;
      }
      if (!plane || !sample || round < 0) continue;
      samples.get(plane)?.push(sample);
      if (sample.foreign > disturbed.share) noisy++;
    }
  if (noisy > 0) report(`${noisy} of ${rounds * planes.length} samples were disturbed by others, and stayed so`);
  return samples;
}

/** Against `direct`, and against the better of the others for each figure. */
function compared(prefix: string, samples: ReadonlyMap<Plane, readonly Sample[]>, goals: Goals): Figure[] {
  const of = (name: string) => [...samples].find(([plane]) => plane.name === name)?.[1] ?? [];
  const own = of('signalbox');
  const others = [...samples.keys()]
    .map(({ name }) => name)
    .filter((name) => name !== 'signalbox' && name !== 'direct' && !name.startsWith(ofObject));
  return (Object.keys(goals) as Ratio[]).flatMap((ratio) => {
    const against = (name: string) => own.map((one, at) => ratios[ratio](one, of(name)[at] ?? one));
    const [better] = others
      .map((name) => ({ name, values: against(name) }))
      .sort((a, b) => spread(a.values).median - spread(b.values).median);
    const goal = (least: number | undefined): Goal => (least === undefined ? null : { atLeast: least });
    return [
      ...(better
        ? [
            {
              name: `${prefix}${ratio} against ${better.name}`,
              values: better.values,
              goal: goal(goals[ratio]?.better),
            },
          ]
        : []),
      { name: `${prefix}${ratio} against direct`, values: against('direct'), goal: goal(goals[ratio]?.direct) },
    ];
  });
}

function figuresOf(samples: readonly Sample[], { load }: Way): string {
  const of = (field: keyof Sample) => spread(samples.map((one) => one[field])).median;
  if (load === 'upload' || load === 'download')
    return `${((of('rate') * 8) / 1e9).toFixed(2)} Gbit/s, ${((of('cpuUs') * 1e9) / 8 / 1000).toFixed(0)} ms of CPU for a Gbit`;
  return `${of('rate').toFixed(0)}/s, ${of('cpuUs').toFixed(1)} µs of CPU each, p50 ${of('p50').toFixed(1)} µs, p99 ${of('p99').toFixed(1)} µs`;
}
