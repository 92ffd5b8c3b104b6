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
import { type ProgramName, plainer, programNames, typeOfProgram } from '../programs.ts';
import { type Counts, readCounts } from '../read-counts.ts';
import { type Helper, instructionSize, withStandIns } from './helpers.ts';

export type DataPlane = {
  readonly maps: DataPlaneMaps;
  /** By name, the file descriptor. */
  readonly programs: Readonly<Record<ProgramName, number>>;
  /** How many instructions the verifier went through for each. */
  readonly verified: Readonly<Record<ProgramName, number>>;
  readonly libbpf: Libbpf;
  /** By the rows of `statistics` that are asked for. @throws BpfError */
  readonly counts: (rows: readonly number[]) => ReadonlyMap<number, Counts>;
  /** Gives back what this process holds of it; what is attached or pinned goes on. */
  readonly close: () => void;
};

/**
 * Opens the object, takes over the maps that are pinned in `pins` or pins new ones there, and has the kernel verify every program. Attaches nothing.
 * @param pins a folder in bpffs, made where it is missing; null pins nothing, and the maps end with this process
 * @param hasHelper whether the kernel lends a helper to programs of a type, both as linux/bpf.h numbers them; left out, it is asked
 * @throws BpfError `missing`, `layout`, or `refused` with what the kernel lacks, or with the last words of the verifier
 */
export function loadDataPlane({
  object = builtObject,
  pins,
  hasHelper,
}: {
  readonly object?: string;
  readonly pins: string | null;
  readonly hasHelper?: HasHelper;
}): DataPlane {
  const shapes = readShapes(object);
  const libbpf = openLibbpf();
  const has = hasHelper ?? askKernel(libbpf);
  const opened = libbpf.pointer('openFile', `open ${object}`, object, null);
  try {
    if (pins !== null) pinMaps(libbpf, opened, pins, shapes);
    const inObject = chooseLoaded(libbpf, opened, has);
    const loaded = each((name) => programOf(libbpf, opened, inObject[name]));
    putStandIns(libbpf, loaded, has);
    // The verifier writes while it loads: the buffers must live as long.
    const logs = each(() => Buffer.alloc(logSize));
    for (const [name, log] of Object.entries(logs) as [ProgramName, Buffer][]) {
      const program = loaded[name];
      libbpf.number('setLogBuffer', `log ${name}`, program, log, log.length);
      libbpf.number('setLogLevel', `log ${name}`, program, logStatistics);
    }
    loadOrSayWhy(libbpf, opened, logs);
    const statistics = libbpf.pointer('findMap', 'find the map statistics', opened, 'statistics');
    const statisticsFd = libbpf.number('mapFd', 'open statistics', statistics);
    return {
      libbpf,
      counts: (rows) => readCounts(libbpf, statisticsFd, rows),
      maps: openMaps(libbpf, shapes, (inC) => {
        const map = libbpf.pointer('findMap', `find the map ${inC}`, opened, inC);
        return {
          fd: libbpf.number('mapFd', `open ${inC}`, map),
          maxEntries: libbpf.number('maxEntries', `size ${inC}`, map),
        };
      }),
      programs: each((name) => libbpf.number('programFd', `open ${name}`, loaded[name])),
      verified: each((name) => Number(/processed (\d+) insns/.exec(textAt(logs[name], 0))?.[1])),
      close: () => libbpf.nothing('close', opened),
    };
  } catch (error) {
    libbpf.nothing('close', opened);
    throw error;
  }
}

const logSize = 64 * 1024;
/** BPF_LOG_STATS: the sums, and on failure the reason; not the whole walk. */
const logStatistics = 4;

function each<Value>(of: (name: ProgramName) => Value): Readonly<Record<ProgramName, Value>> {
  return Object.fromEntries(programNames.map((name) => [name, of(name)])) as Record<ProgramName, Value>;
}

const programOf = (libbpf: Libbpf, opened: bigint, inC: string) =>
  libbpf.pointer('findProgram', `find the program ${inC}`, opened, inC);

type HasHelper = (type: number, helper: number) => boolean;

/** A kernel is asked for what it has, and not for its version: each once. */
function askKernel(libbpf: Libbpf): HasHelper {
  const known = new Map<string, boolean>();
  return (type, helper) => {
    const key = `${type}/${helper}`;
    const has =
      known.get(key) ?? libbpf.number('probeHelper', `say whether it has helper ${helper}`, type, helper, null) === 1;
    known.set(key, has);
    return has;
  };
}

/** The name in the object of each program that this kernel can load; its other form is left out. */
function chooseLoaded(libbpf: Libbpf, opened: bigint, has: HasHelper): Readonly<Record<ProgramName, string>> {
  return each((name) => {
    const other = plainer[name];
    if (!other) return name;
    const [chosen, left] = has(typeOfProgram(name), other.lacking) ? [name, other.inC] : [other.inC, name];
    libbpf.number('setAutoload', `leave ${left} out`, programOf(libbpf, opened, left), 0);
    return chosen;
  });
}

/** Calls what does in the place of a helper that this kernel lacks. @throws BpfError `refused`, with the names of those for which nothing does */
function putStandIns(libbpf: Libbpf, loaded: Readonly<Record<ProgramName, Pointer>>, has: HasHelper): void {
  const lacking = new Set<Helper>();
  for (const name of programNames) {
    const program = loaded[name];
    const count = libbpf.number('instructionCount', `read ${name}`, program);
    const at = libbpf.pointer('instructions', `read ${name}`, program);
    const fit = withStandIns(libbpf.bytesAt(at, count * instructionSize), ({ id }) => has(typeOfProgram(name), id));
    for (const one of fit.lacking) lacking.add(one);
    if (fit.code) libbpf.number('setInstructions', `change ${name}`, program, fit.code, count);
  }
  if (lacking.size === 0) return;
  const names = Array.from(lacking, ({ name, since }) => `${name} (Linux ${since})`);
  throw new BpfError('refused', `This kernel lacks what the programs need: ${inList(names, names.length)}.`);
}

/** What is pinned keeps how many fit: that may be less, or more, than a map would get today. */
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

function loadOrSayWhy(libbpf: Libbpf, opened: bigint, logs: Readonly<Record<string, Uint8Array>>): void {
  try {
    libbpf.number('load', 'load the programs', opened);
  } catch (error) {
    const said = Object.entries(logs)
      .map(([name, log]) => [name, textAt(log, 0).trim()] as const)
      .filter(([, log]) => log !== '' && !/^(?:verification time[^\n]*\n)?(?:stack depth[^\n]*\n)?processed/.test(log))
      .map(([name, log]) => `${name}: ${log.split('\n').slice(-12).join('\n')}`);
    if (!(error instanceof BpfError) || said.length === 0) throw error;
    throw new BpfError(error.code, `${error.message} ${said.join('\n')}`);
  }
}
