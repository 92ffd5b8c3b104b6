import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Libbpf } from '../libbpf.ts';
import { socketHooks } from '../programs.ts';

/**
 * Before Linux 5.7 a program is attached to cgroup2 without a link. It stays attached until it is detached by its own descriptor, which a pin
 * preserves.
 */

/** BPF_F_ALLOW_MULTI: the programs of others, here and in folders below, stay attached. */
const besideOthers = 2;
/** Errors that the kernel gives for a cgroup2 folder that is being deleted, or is gone. */
const folderGone: readonly string[] = ['ENOENT', 'ENODEV'];
/** The most programs that the kernel attaches to one folder (BPF_CGROUP_MAX_PROGS). */
const mostPrograms = 64;

/**
 * The pin of a program that is about to replace the one pinned as `pin`. It is pinned before it is attached, so that no program is ever attached
 * without a pin.
 */
const nextOf = (pin: string) => `${pin}-next`;

type Hook = { readonly cgroup: string; readonly type: number };

/** Whether a program, not a link, is pinned there. @throws BpfError */
export function isProgram(libbpf: Libbpf, pin: string): boolean {
  return existsSync(pin) && withPin(libbpf, pin, programId) !== null;
}

/** Whether a program is pinned there, or was about to be when an earlier process was killed. @throws BpfError */
export function isProgramPinned(libbpf: Libbpf, pin: string): boolean {
  return isProgram(libbpf, pin) || isProgram(libbpf, nextOf(pin));
}

/**
 * Attaches a program, then detaches the one that was pinned: for a moment both are attached, and the later one finds nothing left to do. First
 * completes a replacement during which an earlier process was killed.
 * @param pin null attaches only until the returned function is called
 * @returns a function that detaches; a pinned program, and one that was attached before, stay
 * @throws BpfError
 */
export function attachPinnedProgram(
  libbpf: Libbpf,
  { cgroup, type, program, pin }: Hook & { readonly program: number; readonly pin: string | null },
): () => void {
  const hook = { cgroup, type };
  if (pin === null) return attach(libbpf, hook, program) ? () => detach(libbpf, hook, program) : () => undefined;
  if (existsSync(nextOf(pin))) takeOver(libbpf, hook, pin);
  const isPinned = existsSync(pin) && withPin(libbpf, pin, (earlier) => programId(earlier) === programId(program));
  if (isPinned) attach(libbpf, hook, program);
  else {
    libbpf.number('pin', `pin ${nextOf(pin)}`, program, nextOf(pin));
    takeOver(libbpf, hook, pin);
  }
  return () => undefined;
}

/** Replaces the pinned program by the one that is pinned as next. May be repeated after an interruption at any point. */
function takeOver(libbpf: Libbpf, hook: Hook, pin: string): void {
  withPin(libbpf, nextOf(pin), (program) => {
    attach(libbpf, hook, program);
    if (!existsSync(pin)) return;
    withPin(libbpf, pin, (earlier) => {
      if (programId(earlier) !== programId(program)) detachFromAll(libbpf, hook.type, earlier);
    });
  });
  renameSync(nextOf(pin), pin);
}

/** False if it was attached already: the kernel refuses to attach a program twice. */
function attach(libbpf: Libbpf, hook: Hook, program: number): boolean {
  const { cgroup, type } = hook;
  if (isAt(libbpf, hook, program)) return false;
  withFolder(cgroup, (folder) =>
    libbpf.number('attachProgram', `attach to ${cgroup}`, program, folder, type, besideOthers),
  );
  return true;
}

/** Whether a pinned program is attached. @throws BpfError */
export function isProgramAttached(libbpf: Libbpf, { cgroup, type, pin }: Hook & { readonly pin: string }): boolean {
  return withPin(libbpf, pin, (program) => isAt(libbpf, { cgroup, type }, program));
}

/** Detaches programs that are pinned without a link from every folder: the pin does not say to which they are attached. @throws BpfError */
export function detachPinnedPrograms(libbpf: Libbpf, pins: string): void {
  for (const [hook, type] of Object.entries(socketHooks)) {
    for (const pin of [join(pins, hook), nextOf(join(pins, hook))])
      if (isProgram(libbpf, pin)) withPin(libbpf, pin, (program) => detachFromAll(libbpf, type, program));
  }
}

function detachFromAll(libbpf: Libbpf, type: number, program: number): void {
  for (const cgroup of foldersBelow(cgroup2Mounts())) detach(libbpf, { cgroup, type }, program);
}

/**
 * Asks first whether the program is there: for a program that is not attached the kernel may detach another one in its place. A folder that
 * disappears meanwhile has none.
 */
function detach(libbpf: Libbpf, { cgroup, type }: Hook, program: number): void {
  try {
    if (!isAt(libbpf, { cgroup, type }, program)) return;
    withFolder(cgroup, (folder) =>
      libbpf.numberUnless(folderGone, 'detachProgram', `detach from ${cgroup}`, program, folder, type),
    );
  } catch (error) {
    if (!folderGone.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function isAt(libbpf: Libbpf, { cgroup, type }: Hook, program: number): boolean {
  const ids = Buffer.alloc(4 * mostPrograms);
  const count = Buffer.alloc(4);
  count.writeUInt32LE(mostPrograms);
  const queried = withFolder(cgroup, (folder) =>
    libbpf.numberUnless(
      folderGone,
      'queryPrograms',
      `list the programs of ${cgroup}`,
      ...[folder, type, 0, null, ids, count],
    ),
  );
  if (queried === null) return false;
  const id = programId(program);
  return Array.from({ length: count.readUInt32LE() }, (_, at) => ids.readUInt32LE(4 * at)).some((one) => one === id);
}

/** The program's id by its descriptor; null for a link, whose fdinfo names a link_type as well. */
function programId(fd: number): number | null {
  const info = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
  const id = /^prog_id:\s*(\d+)/m.exec(info)?.[1];
  return id === undefined || /^link_type:/m.test(info) ? null : Number(id);
}

/** Mount points of cgroup2 from proc(5), whose lines read `cgroup2 /sys/fs/cgroup cgroup2 rw 0 0`, with a blank as `\040`. */
function cgroup2Mounts(): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , kind]) => kind === 'cgroup2')
    .map(([, path = '']) => path.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))));
}

function* foldersBelow(folders: readonly string[]): Generator<string> {
  for (const folder of folders) {
    yield folder;
    yield* foldersBelow(below(folder));
  }
}

/** Folders below; none if the folder disappears meanwhile. */
function below(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function withPin<Value>(libbpf: Libbpf, pin: string, use: (fd: number) => Value): Value {
  const fd = libbpf.number('pinned', `open ${pin}`, pin);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function withFolder<Value>(folder: string, use: (fd: number) => Value): Value {
  const fd = openSync(folder, 'r');
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
