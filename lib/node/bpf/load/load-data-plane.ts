import { closeSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inList } from '#lib/base/words.ts';
import { BpfError } from '../bpf-error.ts';
import type { MapShape } from '../btf.ts';
import type { DataPlaneMaps } from '../data-plane-maps.ts';
import { textAt } from '../elf-section.ts';
import { type Libbpf, openLibbpf, type Pointer } from '../libbpf.ts';
import { mapFields } from '../map-fields.ts';
import { builtObject, readShapes } from '../map-shapes.ts';
import { openMaps } from '../open-maps.ts';
import { openPinned } from '../pinned-map.ts';
import {
  isOptional,
  type OptionalHook,
  type ProgramName,
  plainer,
  programNames,
  socketHooks,
  typeOfProgram,
} from '../programs.ts';
import { type Counts, readCounts } from '../read-counts.ts';
import { askKernel, type KernelHas } from './ask-kernel.ts';
import { fitTo, instructionSize, type KernelPart, redirectNeigh } from './kernel-parts.ts';

export type DataPlane = {
  readonly maps: DataPlaneMaps;
  /** File descriptors by name. */
  readonly programs: OfPrograms<number>;
  /** The number of instructions that the verifier processed for each program. */
  readonly verified: OfPrograms<number>;
  /** Names of parts that this kernel lacks and the programs do without. */
  readonly lacks: readonly string[];
  readonly libbpf: Libbpf;
  /** Packet counts for rows of `statistics`. @throws BpfError */
  readonly counts: (rows: readonly number[]) => ReadonlyMap<number, Counts>;
  /** Closes what this process holds; what is attached or pinned stays. */
  readonly close: () => void;
};

/**
 * Opens the object, reuses the maps that are pinned in `pins` or pins new ones there, and lets the kernel verify every program. Attaches nothing.
 * @param pins a folder in bpffs, created if it is missing; null pins nothing, and the maps end with this process
 * @param has overrides what the kernel is asked for; for tests
 * @throws BpfError `missing`, `layout`, or `refused` with what the kernel lacks or with the verifier's last lines
 */
export function loadDataPlane({
  object = builtObject,
  pins,
  has,
}: {
  readonly object?: string;
  readonly pins: string | null;
  readonly has?: Partial<KernelHas>;
}): DataPlane {
  const shapes = readShapes(object);
  const libbpf = openLibbpf();
  const kernel = { ...askKernel(libbpf), ...has };
  const opened = libbpf.pointer('openFile', `open ${object}`, object, null);
  try {
    if (!kernel.part(typeOfProgram('incoming'), redirectNeigh)) sizeForOneTable(libbpf, opened);
    if (pins !== null) pinMaps(libbpf, opened, pins, shapes);
    const names = chooseLoaded(libbpf, opened, kernel);
    const loaded = new Map(Array.from(names, ([name, inC]) => [name, programOf(libbpf, opened, inC)]));
    const lacks = [...fitToKernel(libbpf, loaded, kernel), ...programNames.filter((name) => !names.has(name))];
    // The verifier writes into these buffers during the load, so they must not be freed before.
    const logs = new Map(Array.from(names.keys(), (name) => [name, Buffer.alloc(logSize)]));
    for (const [name, program] of loaded) {
      const log = logs.get(name) ?? Buffer.alloc(0);
      libbpf.number('setLogBuffer', `log ${name}`, program, log, log.length);
      libbpf.number('setLogLevel', `log ${name}`, program, logStatistics);
    }
    loadOrSayWhy(libbpf, opened, logs);
    const statistics = libbpf.pointer('findMap', 'find the map statistics', opened, 'statistics');
    const statisticsFd = libbpf.number('mapFd', 'open statistics', statistics);
    return {
      lacks,
      libbpf,
      counts: (rows) => readCounts(libbpf, statisticsFd, rows),
      maps: openMaps(libbpf, shapes, (inC) => {
        const map = libbpf.pointer('findMap', `find the map ${inC}`, opened, inC);
        return {
          fd: libbpf.number('mapFd', `open ${inC}`, map),
          maxEntries: libbpf.number('maxEntries', `size ${inC}`, map),
        };
      }),
      programs: each(loaded, (name, program) => libbpf.number('programFd', `open ${name}`, program)),
      verified: each(logs, (_name, log) => Number(/processed (\d+) insns/.exec(textAt(log, 0))?.[1])),
      close: () => libbpf.nothing('close', opened),
    };
  } catch (error) {
    libbpf.nothing('close', opened);
    throw error;
  }
}

const logSize = 64 * 1024;
/** BPF_LOG_STATS: the counts, and the reason of a failure, without the whole trace. */
const logStatistics = 4;

/** A value for each required program, and for the optional ones that the kernel takes. */
type OfPrograms<Value> = Readonly<
  Record<Exclude<ProgramName, OptionalHook>, Value> & Partial<Record<OptionalHook, Value>>
>;

function each<From, Value>(
  all: ReadonlyMap<ProgramName, From>,
  of: (name: ProgramName, from: From) => Value,
): OfPrograms<Value> {
  return Object.fromEntries(Array.from(all, ([name, from]) => [name, of(name, from)])) as OfPrograms<Value>;
}

const programOf = (libbpf: Libbpf, opened: bigint, inC: string) =>
  libbpf.pointer('findProgram', `find the program ${inC}`, opened, inC);

/** The programs that this kernel can load, with their names in the object. Optional hooks that it lacks, and unused variants, are not loaded. */
function chooseLoaded(libbpf: Libbpf, opened: bigint, kernel: KernelHas): ReadonlyMap<ProgramName, string> {
  const chosen = new Map<ProgramName, string>();
  const leave = (inC: string) => libbpf.number('setAutoload', `leave ${inC} out`, programOf(libbpf, opened, inC), 0);
  for (const name of programNames) {
    const other = plainer[name];
    if (isOptional(name) && !kernel.hook(socketHooks[name])) {
      leave(name);
    } else if (other) {
      const hasHelper = kernel.part(typeOfProgram(name), other.lacking);
      chosen.set(name, hasHelper ? name : other.inC);
      leave(hasHelper ? other.inC : name);
    } else {
      chosen.set(name, name);
    }
  }
  return chosen;
}

/**
 * Rewrites the programs for what this kernel lacks. Returns the names of those parts. @throws BpfError `refused` with the parts that the programs
 * cannot do without
 */
function fitToKernel(libbpf: Libbpf, loaded: ReadonlyMap<ProgramName, Pointer>, kernel: KernelHas): string[] {
  const missing = new Set<KernelPart>();
  for (const [name, program] of loaded) {
    const count = libbpf.number('instructionCount', `read ${name}`, program);
    const at = libbpf.pointer('instructions', `read ${name}`, program);
    const fit = fitTo(libbpf.bytesAt(at, count * instructionSize), ({ id }) => kernel.part(typeOfProgram(name), id));
    for (const one of fit.missing) missing.add(one);
    if (fit.code) libbpf.number('setInstructions', `change ${name}`, program, fit.code, count);
  }
  const lacking = [...missing].filter(({ without }) => without === undefined);
  if (lacking.length === 0) return Array.from(missing, ({ name }) => name);
  const names = lacking.map(({ name, since }) => `${name} (Linux ${since})`);
  throw new BpfError('refused', `This kernel lacks what the programs need: ${inList(names, names.length)}.`);
}

/** For programs that use one table of flows only (`HOLDS_FLOWS` of bpf/conntrack.h): that table gets the room of both. */
function sizeForOneTable(libbpf: Libbpf, opened: bigint): void {
  const [one, other] = [mapFields.flows.inC, mapFields.heldFlows.inC].map((inC) =>
    libbpf.pointer('findMap', `find the map ${inC}`, opened, inC),
  ) as [Pointer, Pointer];
  const room =
    libbpf.number('maxEntries', 'size the flows', one) + libbpf.number('maxEntries', 'size the flows', other);
  libbpf.number('setMaxEntries', 'size the flows', one, room);
  libbpf.number('setMaxEntries', 'size the flows', other, 1);
}

/** A pinned map keeps its capacity, which may differ from that of a new map. */
function pinMaps(libbpf: Libbpf, opened: bigint, pins: string, shapes: ReadonlyMap<string, MapShape>): void {
  mkdirSync(pins, { recursive: true, mode: 0o700 });
  for (const { inC } of Object.values(mapFields)) {
    const map = libbpf.pointer('findMap', `find the map ${inC}`, opened, inC);
    const shape = shapes.get(inC);
    const found = shape && openPinned(libbpf, pins, inC, shape);
    if (found) {
      closeSync(found.fd);
      libbpf.number('setMaxEntries', `size ${inC}`, map, found.maxEntries);
    }
    libbpf.number('setPinPath', `pin ${inC}`, map, join(pins, inC));
  }
}

function loadOrSayWhy(libbpf: Libbpf, opened: bigint, logs: ReadonlyMap<ProgramName, Buffer>): void {
  try {
    libbpf.number('load', 'load the programs', opened);
  } catch (error) {
    const verifierMessages = Array.from(logs)
      .map(([name, log]) => [name, textAt(log, 0).trim()] as const)
      .filter(([, log]) => log !== '' && !/^(?:verification time[^\n]*\n)?(?:stack depth[^\n]*\n)?processed/.test(log))
      .map(([name, log]) => `${name}: ${log.split('\n').slice(-12).join('\n')}`);
    if (!(error instanceof BpfError) || verifierMessages.length === 0) throw error;
    throw new BpfError(error.code, `${error.message} ${verifierMessages.join('\n')}`);
  }
}
