import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of a production build of the console's pages. */
    consoleBuild: string;
  }
}

const root = resolve(import.meta.dirname, '../../..');

/** Vitest calls this once, before any worker starts. SIGNALBOX_BUILD names a build to use as it is, while working on tests. */
export default async function provideBuild(project: TestProject): Promise<void> {
  const given = process.env.SIGNALBOX_BUILD;
  project.provide('consoleBuild', given ? resolve(given) : await build());
}

export async function build(folder = '.next/browser'): Promise<string> {
  const settings = join(root, '.next/tsconfig.json');
  mkdirSync(join(root, '.next'), { recursive: true });
  if (!existsSync(settings)) writeFileSync(settings, '{ "extends": "../tsconfig.json" }\n');
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', SIGNALBOX_BUILD: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`The pages of the console could not be built:\n${said}`);
  return join(root, folder);
}
