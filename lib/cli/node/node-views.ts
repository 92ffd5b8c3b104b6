import { isRecord } from '#lib/base/records.ts';
import {
  AgentRefused,
  BpfError,
  openPinnedMaps,
  pinsOf,
  shownFlows,
  shownRoutes,
  shownServices,
} from '#lib/node/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { CliError, exit } from '../exit.ts';
import { listenFlag } from '../listen-flag.ts';
import { flowsTable, routesTable, servicesTable } from '../show/node-tables.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns } from '../terminal/terminal.ts';

export const usualListen = '127.0.0.1:9098';

/** What can be shown of a node: `status` from its agent; the others from the maps in its kernel, even without an agent. */
export const nodeViews = ['status', 'services', 'conntrack', 'routes'] as const;
type Shown = (typeof nodeViews)[number];
export const isShown = (word: string | undefined): word is Shown => nodeViews.some((one) => one === word);

export async function showNode(invocation: Invocation, what: Shown, pins: string): Promise<number> {
  const { flags, terminal } = invocation;
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const shown = what === 'status' ? await statusOfAgent(invocation) : fromMaps(what, pins);
  if (format !== 'table') writeData(terminal, format, { ...shown.data, apiVersion: 'signalbox.dev/v1' });
  else terminal.out(columns(shown.table.map((row) => row.map(visibleLine))));
  return exit.fine;
}

type Answer = { readonly data: Readonly<Record<string, unknown>>; readonly table: string[][] };

function fromMaps(what: Exclude<Shown, 'status'>, pins: string): Answer {
  const opened = saying(() => openPinnedMaps(pinsOf(pins).maps));
  if (!opened)
    throw new CliError(
      exit.notAsAsked,
      `Nothing is pinned at ${visibleLine(pins)}: no agent has run here. Name another folder with --pins.`,
    );
  const { maps, close } = opened;
  try {
    if (what === 'services') {
      const services = shownServices(maps);
      return { data: { kind: 'NodeServices', services }, table: servicesTable(services) };
    }
    if (what === 'routes') {
      const routes = shownRoutes(maps);
      return { data: { kind: 'NodeRoutes', routes }, table: routesTable(routes) };
    }
    const flows = shownFlows(maps, process.hrtime.bigint());
    return { data: { kind: 'NodeFlows', flows }, table: flowsTable(flows) };
  } catch (error) {
    throw asCliError(error);
  } finally {
    close();
  }
}

const longestAnswerMs = 5_000;

/** The agent's status. Another process wrote it, so a field that is neither text nor number is shown as JSON. */
async function statusOfAgent({ flags, signal }: Invocation): Promise<Answer> {
  const { host, port } = listenFlag(flags, usualListen);
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${port}/status`;
  let data: unknown;
  try {
    const response = await fetch(at, { signal: AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]) });
    data = await response.json();
  } catch (error) {
    throw new CliError(
      exit.unreachable,
      `No agent answers at ${at}. Start one with \`signalbox node\`, or name its address with --listen.`,
      error,
    );
  }
  if (!isRecord(data) || typeof data.node !== 'string' || typeof data.ready !== 'boolean')
    throw new CliError(
      exit.unreachable,
      `The program that answers at ${at} is not the agent of a node. Name another address with --listen.`,
    );
  const cell = (value: unknown) =>
    typeof value === 'string' ? value : Array.isArray(value) && value.length === 0 ? '-' : JSON.stringify(value);
  const { problems, packets, ...fields } = data;
  const listed = Array.isArray(problems) ? problems.filter((one) => typeof one === 'object' && one !== null) : [];
  return {
    data: { ...data, kind: 'NodeStatus' },
    table: [
      ...Object.entries(fields).map(([name, value]) => [name, cell(value)]),
      ...Object.entries(isRecord(packets) ? packets : {}).map(([name, counts]) => [
        `packets: ${name}`,
        Object.entries(isRecord(counts) ? counts : {})
          .map(([outcome, count]) => `${outcome} ${count}`)
          .join(', ') || '-',
      ]),
      ...listed.map(({ service, text }: { service?: unknown; text?: unknown }) => [
        `problem: ${String(service)}`,
        String(text),
      ]),
    ],
  };
}

export function saying<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw asCliError(error);
  }
}

export function asCliError(error: unknown): unknown {
  if (error instanceof AgentRefused) return new CliError(exit.blocked, error.message, error);
  if (error instanceof BpfError)
    return new CliError(error.code === 'held' ? exit.blocked : exit.notAsAsked, error.message, error);
  return error;
}
