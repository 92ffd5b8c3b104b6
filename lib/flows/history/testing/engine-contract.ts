import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Flow } from '../../flow.ts';
import { matchesQuery } from '../../query/matches-query.ts';
import { parseQuery } from '../../query/parse-query.ts';
import { aFlowWithId, aHit } from '../../testing/a-flow.ts';
import type { HistoryEngine } from '../history-engine.ts';
import { historyTiers } from '../history-tiers.ts';

/** The answers that every engine of a history must give. How an engine counts its own space is in its own test. */
export type AnyEngine = Omit<HistoryEngine, 'usedBytes' | 'removeOldest'>;

const begin = 1_800_000_000;
const added = (flows: readonly Flow[], again = false) => flows.map((flow) => ({ flow, again }));
const everything = { terms: [], since: 0, until: 4_000_000_000 };

/** Tests an engine; `open` returns a new empty one. */
export function holdsTheContract(name: string, open: () => Promise<AnyEngine>): void {
  describe(name, () => {
    const using = async (work: (engine: AnyEngine) => Promise<void>) => {
      const engine = await open();
      await work(engine).finally(() => engine.close());
    };

    test('finds what the page finds, whatever is asked', async () => {
      const part = fc.constantFrom(
        'a',
        'ab',
        'b-*',
        'checkout-7d9c6b8f5-*',
        'pub',
        'x%y',
        'x_y',
        '\u001e',
        'a.b',
        "'",
        'é',
      );
      const anEnd = fc.record({
        kind: fc.constantFrom('workload' as const, 'network' as const, 'host' as const),
        namespace: fc.option(part),
        name: part,
        labels: fc.constant(['app=a']),
      });
      const hits = fc.array(
        fc
          .record({
            kind: fc.constantFrom('CalicoNetworkPolicy' as const, 'StagedNetworkPolicy' as const, 'EndOfTier' as const),
            namespace: fc.option(part),
            name: fc.oneof(
              part,
              part.map((name) => `t.${name}`),
            ),
            tier: fc.constantFrom('t', 'x_y', ''),
            action: fc.constantFrom('allowed' as const, 'denied' as const, 'passed' as const),
            trigger: fc.option(fc.record({ name: part }).map(({ name }) => aHit({ name, tier: 't' }))),
          })
          .map((hit) => aHit(hit)),
        { maxLength: 3 },
      );
      const flow = fc
        .record({
          from: anEnd,
          to: anEnd,
          port: fc.nat(3),
          protocol: fc.constantFrom('TCP', 'UDP'),
          verdict: fc.constantFrom('allowed' as const, 'denied' as const),
          reporter: fc.constantFrom('source' as const, 'destination' as const),
          service: fc.option(fc.record({ namespace: fc.option(part), name: part, portName: fc.constant('') })),
          policies: fc.record({ enforced: hits, pending: hits }),
        })
        .map(aFlowWithId);
      const pattern = fc.constantFrom(
        'a',
        'a*',
        '*b',
        '*',
        'x%y',
        'x_*',
        'p*b',
        'PUBLIC NETWORK',
        'checkout',
        'a.b',
        't.a',
        '-',
        "'",
      );
      const quoted = pattern.map((text) => JSON.stringify(text));
      const word = fc
        .tuple(
          fc.constantFrom('', '!'),
          fc.oneof(
            fc.tuple(fc.constantFrom('from', 'to', 'with'), quoted).map(([key, name]) => `${key}:${name}`),
            fc
              .tuple(fc.constantFrom('from', 'to'), pattern, pattern)
              .map(([key, ns, name]) => `${key}:"${ns}/${name}"`),
            fc.tuple(pattern, pattern).map(([tier, name]) => `policy:"${tier}/${name}"`),
            quoted.map((name) => `policy:${name}`),
            fc.constantFrom('port:1', 'port:1-2', 'verdict:denied', 'staged:denied', 'proto:udp', 'reporter:source'),
          ),
        )
        .map((parts) => parts.join(''));
      const flows = fc.sample(flow, 100);
      await using(async (engine) => {
        await engine.append(added(flows), null);
        await fc.assert(
          fc.asyncProperty(fc.array(word, { maxLength: 3 }), async (words) => {
            const { query } = parseQuery(words.join(' '));
            const { flows: found } = await engine.list({ terms: query.terms, since: begin, until: begin + 15 }, 10_000);
            const expected = new Set(flows.filter((one) => matchesQuery(one, query)).map(({ id }) => id));
            expect(new Set(found.map(({ id }) => id))).toEqual(expected);
          }),
          { numRuns: 12 },
        );
      });
    });

    test('tells a flow as it came, with what was added up over the time that is asked for', () =>
      using(async (engine) => {
        const flow = aFlowWithId({ start: begin });
        const later = { ...aFlowWithId({ start: begin + 15 }), bytes: { in: 7, out: 1 } };
        await engine.append(added([flow, later]), { since: begin, until: begin + 30 });
        expect(await engine.list({ ...everything, until: begin + 15 }, 10)).toEqual({ flows: [flow], isCut: false });
        const { flows } = await engine.list(everything, 10);
        expect(flows).toEqual([
          expect.objectContaining({ start: begin, end: begin + 30, bytes: { in: 1007, out: 501 }, from: flow.from }),
        ]);
        expect(await engine.spans()).toEqual([{ since: begin, until: begin + 30 }]);
      }));

    test('takes the newest of many, and says that there are more', () =>
      using(async (engine) => {
        const flows = Array.from({ length: 50 }, (_, index) => aFlowWithId({ start: begin + index * 15, port: index }));
        await engine.append(added(flows), null);
        const { flows: found, isCut } = await engine.list({ terms: [], since: begin, until: begin + 750 }, 5);
        expect([found.map(({ port }) => port), isCut]).toEqual([[49, 48, 47, 46, 45], true]);
      }));

    test('replaces a flow that is told again with more', () =>
      using(async (engine) => {
        const flow = aFlowWithId({ start: begin });
        await engine.append(added([flow]), { since: begin, until: begin + 15 });
        await engine.append(added([{ ...flow, bytes: { in: 2000, out: 900 } }], true), {
          since: begin,
          until: begin + 30,
        });
        const { flows } = await engine.list(everything, 10);
        expect(flows).toEqual([{ ...flow, bytes: { in: 2000, out: 900 } }]);
        expect(await engine.spans()).toEqual([{ since: begin, until: begin + 30 }]);
      }));

    test('counts a flow once that is told again after it was added up, and one that comes late then', () =>
      using(async (engine) => {
        const week = historyTiers(7 * 86_400);
        const flow = aFlowWithId({ start: begin });
        const again = async () => {
          await engine.append(added([{ ...flow, bytes: { in: 2000, out: 900 } }], true), null);
          const { flows } = await engine.list(everything, 10);
          const series = await engine.series(everything, 600);
          return [flows.map(({ port, bytes }) => [port, bytes.in]), series.map(({ allowed }) => allowed)];
        };
        await engine.append(added([flow]), { since: begin, until: begin + 15 });
        // First by the minute, then by ten minutes: the higher counts may be found or not, but never both.
        for (const later of [3600 + 60, 2 * 86_400]) {
          await engine.rollUp(begin + later, week);
          await again();
          await engine.rollUp(begin + later + 15, week);
          const [sums, counts] = await again();
          expect([
            [[[flow.port, 1000]], [1]],
            [[[flow.port, 2000]], [1]],
          ]).toContainEqual([sums, counts]);
        }
        await engine.append(added([aFlowWithId({ start: begin + 15, port: 1 })], true), null);
        await engine.rollUp(begin + 2 * 86_400 + 30, week);
        expect((await again())[1]).toEqual([2]);
      }));

    test('keeps the sums while it keeps less of the time, and in the end nothing', () =>
      using(async (engine) => {
        const starts = Array.from({ length: 80 }, (_, index) => begin + index * 15);
        await engine.append(added(starts.map((start) => aFlowWithId({ start }))), {
          since: begin,
          until: begin + 1200,
        });
        await engine.append(added([aFlowWithId({ start: begin, verdict: 'denied' })]), null);
        const seriesIn = async (step: number) => {
          const series = await engine.series(everything, step);
          return series.map(({ at, allowed, denied }) => [at - begin, allowed, denied]);
        };
        const week = historyTiers(7 * 86_400);
        expect((await seriesIn(600)).reduce((sum, [, allowed = 0]) => sum + allowed, 0)).toBe(80);
        await engine.rollUp(begin + 3600 + 601, week);
        // Ten minutes of it are older than an hour, and so kept by the minute.
        expect((await seriesIn(60)).slice(0, 2)).toEqual([
          [0, 4, 1],
          [60, 4, 0],
        ]);
        expect(await seriesIn(15)).toHaveLength(10 + 40);
        await engine.rollUp(begin + 2 * 86_400, week);
        expect(await seriesIn(15)).toEqual([
          [0, 40, 1],
          [600, 40, 0],
        ]);
        const { flows } = await engine.list(everything, 10);
        expect(flows.map(({ bytes, verdict }) => [verdict, bytes.in])).toEqual([
          ['allowed', 80_000],
          ['denied', 1000],
        ]);
        await engine.rollUp(begin + 9 * 86_400, week);
        expect([await seriesIn(15), await engine.spans(), (await engine.list(everything, 10)).flows]).toEqual([
          [],
          [],
          [],
        ]);
        // A removed key is no longer known.
        await engine.append(added([aFlowWithId({ start: begin + 9 * 86_400 })]), null);
        expect((await engine.list(everything, 10)).flows).toHaveLength(1);
      }));

    test('takes what is hostile, and tells it as it came', () =>
      using(async (engine) => {
        const name = `</script>'; DROP TABLE keys; --\u0007\u202e${'x'.repeat(100_000)}`;
        const end = { kind: 'workload' as const, namespace: "n'%_", name, labels: [`a=<img src=x>\n`, 'é='] };
        const flow = aFlowWithId({ from: end, to: end, service: { namespace: null, name, portName: '' } });
        await engine.append(added([flow]), null);
        expect((await engine.list(everything, 10)).flows).toEqual([flow]);
        const { query } = parseQuery(`from:"n'%_/*"`);
        expect((await engine.list({ ...everything, terms: query.terms }, 10)).flows).toEqual([flow]);
      }));
  });
}
