import { afterEach, expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { RunEvent } from '#lib/run/index.ts';
import { flagsByProgram } from '#lib/text/index.ts';
import { plain, type Terminal } from '../terminal/terminal.ts';
import { dataStory, type RunStory, storyWithClusterFlags, terminalStory } from './run-story.ts';

afterEach(() => vi.restoreAllMocks());

const at = '2026-11-21T10:00:00.000Z';
const event = (body: object): RunEvent => ({ id: 1, at, run: '20261121-1000-3f9c', ...body }) as RunEvent;

const finished = (title: string, id: string, note: string | null) =>
  event({
    event: 'operation',
    data: {
      direction: 'forward',
      seq: 1,
      id,
      title,
      state: 'finished',
      awaiting: null,
      heldUpBy: [],
      usualSeconds: 2,
      deadlineAt: null,
      note,
      outcome: 'met',
    },
  });

const aNode = (name: string) =>
  event({ event: 'node', data: { name, state: 'proven', dataplane: 'bpf', detail: 'eBPF is on', evidence: [] } });

test('what a run says leads to the cluster where a person reads it', () => {
  const events: RunEvent[] = [];
  const story: RunStory = { tell: (one) => events.push(one), hold: () => {}, goOn: () => {}, end: () => {} };
  const message = 'Helm holds it. `helm history calico` shows why.';
  const led = 'Helm holds it. `helm --kube-context prod history calico` shows why.';
  const problem = { code: 'invalid', message, subjects: [], choices: [] };
  for (const body of [
    { event: 'log', data: { message } },
    { event: 'problem', data: problem },
  ])
    storyWithClusterFlags(story, flagsByProgram({ context: 'prod' })).tell(event(body));
  expect(events.map(({ data }) => data)).toEqual([{ message: led }, { ...problem, message: led }]);
});

/** Everything that is written to a terminal of so many columns, a line each. */
function lines(columns: number, events: readonly RunEvent[]): string[] {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const terminal: Terminal = {
    out: () => {},
    err: () => {},
    isTerminal: true,
    canAsk: true,
    columns,
    paint: plain,
    verbosity: 'normal',
    ask: async () => null,
  };
  const story = terminalStory(terminal);
  for (const one of events) story.tell(one);
  return written
    .join('')
    .replace(/\u001b\[\d+[A-Za-z]/g, '')
    .split('\n');
}

test.each([40, 80, 120])('finished steps and the picture below them stay within %i columns', (columns) => {
  const story = lines(columns, [
    finished('Protect the service proxy’s rules from being cleaned up', 'felix.cleanup-flag', null),
    finished('Wait until every node runs eBPF', 'bpf.active', '6 of 6 nodes are proven on eBPF'),
    finished('Turn kube-proxy off', 'proxy.disable.daemonset', 'its effect was already there when the run continued'),
    ...Array.from({ length: 64 }, (_, index) => aNode(`worker-${index}`)),
  ]);
  for (const line of story) expect(line.length, line).toBeLessThanOrEqual(columns);
});

test('a step’s id stands beside its title where there is room', () => {
  expect(lines(80, [finished('Turn kube-proxy off', 'proxy.disable.daemonset', null)])).toContain(
    '✓ Turn kube-proxy off proxy.disable.daemonset',
  );
});

test.each(['json', 'yaml'] as const)('as %s the events can be read again, one after the other', (format) => {
  const out: string[] = [];
  const story = dataStory(format, { out: (text: string) => out.push(text) } as unknown as Terminal);
  const events = [aNode('a'), finished('Turn eBPF on', 'switch.bpf', null)];
  for (const one of events) story.tell(one);
  const text = `${out.join('\n')}\n`;
  const read =
    format === 'json' ? out.map((line) => JSON.parse(line)) : parseAllDocuments(text).map((one) => one.toJS());
  expect(read).toEqual(events);
});
