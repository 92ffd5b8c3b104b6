import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../../..');

/** The commands that start `signalbox`: its main file by this Node, and the installed script. */
export const program = {
  main: [process.execPath, '--disable-warning=ExperimentalWarning', join(root, 'lib/cli/main.mjs')],
  installed: [join(root, 'bin/signalbox')],
} as const;

export function startProcess(command: readonly string[]): ChildProcess {
  return spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Resolves with the output up to the line, or to the end of the process. */
export function outputUntil(child: ChildProcess, line: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const lines: string[] = [];
    if (!child.stderr) return resolve('');
    const reader = createInterface({ input: child.stderr });
    reader.on('line', (text) => {
      lines.push(text);
      if (line.test(text)) resolve(lines.join('\n'));
    });
    reader.on('close', () => resolve(lines.join('\n')));
  });
}

export const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    child.once('exit', resolve);
  });

/** A folder of objects that an agent follows. A file is put there at once, as a whole. */
export function objectFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-node-command-'));
  return {
    folder,
    write(name: string, object: object): void {
      const beside = `${folder}.${name}`;
      writeFileSync(beside, JSON.stringify(object));
      renameSync(beside, join(folder, name));
    },
    remove: (name: string) => rmSync(join(folder, name)),
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** A node as its kubelet registers it, at its addresses of either family. */
export function aNode(name: string, addresses: readonly string[], taints: readonly object[] = []) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { taints },
    status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
  };
}
