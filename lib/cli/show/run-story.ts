import { counted, thousands } from '#lib/base/words.ts';
import { eventWithClusterFlags, type NodeState, type OperationLine, type RunEvent } from '#lib/run/index.ts';
import { type FlagsByProgram, jsonText, visibleLine } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { displayWidth } from '../terminal/display-width.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

/**
 * Prints a run in progress: on a terminal a status that is redrawn, with what the run waits for; elsewhere plain lines; as data one event per line (JSON) or
 * document (YAML). The events are those of the console's stream.
 */
export type RunStory = {
  tell(event: RunEvent): void;
  /** Stops printing while the user is asked something, until `goOn`. */
  hold(): void;
  goOn(): void;
  end(): void;
};

const untouched = { hold: () => {}, goOn: () => {}, end: () => {} };
export const silentStory: RunStory = { tell: () => {}, ...untouched };

/** The events as data: one JSON object a line, or one YAML document each. */
export function dataStory(format: 'json' | 'yaml', terminal: Terminal): RunStory {
  const text = (event: RunEvent) => (format === 'json' ? jsonText(event) : `---\n${yamlText(event).trimEnd()}`);
  return { tell: (event) => terminal.out(text(event)), ...untouched };
}

/** A story for people, whose commands name the cluster: the events themselves name none. */
export function storyWithClusterFlags(story: RunStory, on: FlagsByProgram): RunStory {
  return { ...story, tell: (event) => story.tell(eventWithClusterFlags(event, on)) };
}

export function plainStory(terminal: Terminal): RunStory {
  let last = '';
  const known = new Set<string>();
  /** Whether a condition is worth printing: one that is fine at the first look is not. */
  const news = ({ object, type, status }: { object: string; type: string; status: string }): boolean => {
    const first = !known.has(`${object}/${type}`);
    known.add(`${object}/${type}`);
    return !first || status !== (type === 'Available' ? 'True' : 'False');
  };
  const say = (text: string) => {
    if (text === last) return;
    last = text;
    terminal.err(visibleLine(text));
  };
  return {
    tell: (event) => {
      if (event.event === 'condition' && !news(event.data)) return;
      for (const line of sentences(event)) say(`${event.at.slice(11, 19)} ${line}`);
    },
    ...untouched,
  };
}

function sentences(event: RunEvent): string[] {
  switch (event.event) {
    case 'snapshot':
      return [
        `run ${event.run} on ${event.data.cluster}: ${event.data.goal}, ${event.data.operations.filter((one) => one.state === 'finished' || one.state === 'already-done').length} of ${event.data.operations.length} done`,
      ];
    case 'operation': {
      const { seq, id, title, state, awaiting, heldUpBy, note, direction, outcome } = event.data;
      const name = `${direction === 'undo' ? 'undo ' : ''}${seq} ${id}`;
      if (state === 'begun') return [`${name}: ${title}`];
      if (state === 'waiting')
        return [
          `${name}: waiting for ${awaiting}${
            heldUpBy.length > 0
              ? ` — ${heldUpBy
                  .slice(0, 3)
                  .map((one) => `${one.name}: ${one.detail}`)
                  .join('; ')}`
              : ''
          }`,
        ];
      return state === 'acted'
        ? []
        : [`${name}: ${outcome === 'unknown' ? 'not verified' : state}${note ? ` (${note})` : ''}`];
    }
    case 'node':
      return event.data.state === 'proven' || event.data.state === 'refused' || event.data.state === 'unknown'
        ? [`  ${event.data.name}: ${event.data.detail}`]
        : [];
    case 'condition':
      return [
        `  ${event.data.object}: ${event.data.type} ${event.data.status}${event.data.message ? ` (${event.data.message})` : ''}`,
      ];
    case 'log':
      return [event.data.message];
    case 'problem':
      return [`${event.data.code}: ${event.data.message}`];
    // The result is printed when the run has ended.
    case 'services':
    case 'heartbeat':
      return [];
  }
}

const signals: Record<OperationLine['state'], ['green' | 'amber' | 'red' | 'violet' | 'dim', string]> = {
  'already-done': ['green', '●'],
  finished: ['green', '●'],
  begun: ['amber', '◉'],
  undoing: ['amber', '◉'],
  undone: ['violet', '○'],
  failed: ['red', '✗'],
  ahead: ['dim', '○'],
};

/** The status below the log, redrawn in place; finished operations scroll away above it. */
export function terminalStory(terminal: Terminal): RunStory {
  const { paint, columns } = terminal;
  const state: { lines: OperationLine[]; sentence: string; heldUp: string[]; nodes: Map<string, NodeState> } = {
    lines: [],
    sentence: '',
    heldUp: [],
    nodes: new Map(),
  };
  let drawn = 0;

  const erase = () => {
    if (drawn > 0) process.stderr.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = () => {
    const track = state.lines.map((one) => paint(signals[one.state][0], signals[one.state][1])).join(paint('dim', '─'));
    const nodes = [...state.nodes.values()];
    const text = [
      '',
      `  ${track}`,
      ...(state.sentence ? [wrap(visibleLine(state.sentence), columns, '  ')] : []),
      ...state.heldUp.map((one) => wrap(visibleLine(`held up by ${one}`), columns, '    ')),
      ...(nodes.length > 0 ? [nodesLine(nodes)] : []),
    ].join('\n');
    process.stderr.write(`${text}\n`);
    drawn = text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
  };
  /** One sign per node if they fit into a line beside the count. */
  const nodesLine = (nodes: readonly NodeState[]): string => {
    const count = nodesInWords(nodes);
    const fits = nodes.length <= 64 && 3 + nodes.length + displayWidth(count) <= columns;
    return `  ${fits ? `${nodes.map((node) => nodeSign(node, paint)).join('')} ` : ''}${count}`;
  };
  /** Prints a line above the status: a coloured sign, what happened, and a dimmed word. */
  const above = (sign: string, text: string, quiet = '') => {
    erase();
    const wrapped = wrap(visibleLine(text), columns, '  ').trimStart();
    const lastLine = wrapped.includes('\n') ? (wrapped.split('\n').at(-1) ?? '') : `  ${wrapped}`;
    const word = visibleLine(quiet);
    const fits = displayWidth(lastLine) + 1 + displayWidth(word) <= columns;
    const rest = word === '' ? '' : fits ? ` ${paint('dim', word)}` : `\n${paint('dim', wrap(word, columns, '  '))}`;
    process.stderr.write(`${sign ? `${sign} ` : '  '}${wrapped}${rest}\n`);
  };

  const show = (event: RunEvent) => {
    erase();
    if (event.event === 'snapshot') state.lines = event.data.operations;
    if (event.event === 'operation') {
      const { seq, direction, id, title, state: phase, awaiting, heldUpBy, note, outcome } = event.data;
      state.lines = state.lines.map((line) =>
        line.seq === seq
          ? {
              ...line,
              state:
                phase === 'finished'
                  ? direction === 'undo'
                    ? 'undone'
                    : 'finished'
                  : direction === 'undo'
                    ? 'undoing'
                    : 'begun',
            }
          : line,
      );
      state.sentence = phase === 'waiting' ? `${title}: waiting for ${awaiting}` : title;
      state.heldUp = heldUpBy.slice(0, 3).map((one) => `${one.name}: ${one.detail}`);
      if (phase === 'finished') {
        const sign = outcome === 'unknown' ? paint('violet', '?') : paint('green', direction === 'undo' ? '↶' : '✓');
        above(sign, title, note ? `${id} · ${note}` : id);
      }
    }
    if (event.event === 'node') {
      state.nodes.set(event.data.name, event.data);
      if (event.data.state === 'refused') above(paint('red', '✗'), `${event.data.name}: ${event.data.detail}`);
    }
    if (event.event === 'log') above('', event.data.message);
    if (event.event === 'problem') above(paint('amber', '!'), event.data.message);
    draw();
  };

  let held: RunEvent[] | null = null;
  return {
    tell: (event) => {
      if (held) held.push(event);
      else show(event);
    },
    hold: () => {
      erase();
      held ??= [];
    },
    goOn: () => {
      const missed = held ?? [];
      held = null;
      for (const event of missed) show(event);
    },
    end: erase,
  };
}

/** Nodes by release during an upgrade: `3 nodes run v3.31.4, 1 v3.30.7`. */
function nodesInWords(nodes: readonly NodeState[]): string {
  const proven = nodes.filter((node) => node.state === 'proven').length;
  const byVersion = Map.groupBy(
    nodes.filter(({ state }) => state !== 'not-counted'),
    ({ version }) => version ?? null,
  );
  if ([...byVersion.keys()].every((version) => version === null))
    return `${thousands(proven)} of ${counted(nodes.length, 'node')} proven`;
  return [...byVersion]
    .toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : b.localeCompare(a)))
    .map(([version, { length }]) =>
      version === null ? `${thousands(length)} restarting` : `${thousands(length)} on ${version}`,
    )
    .join(', ');
}

function nodeSign(node: NodeState, paint: Terminal['paint']): string {
  switch (node.state) {
    case 'proven':
      return paint('green', '■');
    case 'refused':
      return paint('red', '✗');
    case 'unknown':
      return paint('violet', '?');
    case 'restarting':
      return paint('amber', '◧');
    default:
      return paint('dim', '□');
  }
}
