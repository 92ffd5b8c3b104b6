import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '#e2e/console/testing/http.ts';
import { makeReady } from '../../scripts/start/make-ready.mjs';
import type { Benchmark } from './benchmark.ts';
import { loadNow, percentile } from './measured-console.ts';

const root = join(import.meta.dirname, '../..');
const limitMs = 3_000;

/** The wait after `npm start` when nothing has to be installed or built. */
export const start: Benchmark = {
  name: 'start',
  title: 'npm start when nothing changed, from start to its link and to its first page',
  async run({ options }) {
    await makeReady();
    const state = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    try {
      // The first of all fills the compile cache and the system's own of files.
      await once(state);
      const rounds: Round[] = [];
      for (let round = 0; round < Number(options.rounds ?? 5); round++) rounds.push(await once(state));
      const figures = (what: string, values: readonly number[], limit: string) =>
        `${what}: ${seconds(percentile(values, 0.5))}, best ${seconds(Math.min(...values))}, worst ${seconds(Math.max(...values))}${limit}`;
      return [
        `${rounds.length} starts, ${loadNow()}`,
        figures(
          'link',
          rounds.map(({ linkMs }) => linkMs),
          ` (≤ ${seconds(limitMs)})`,
        ),
        figures(
          'first page',
          rounds.map(({ pageMs }) => pageMs),
          '',
        ),
      ];
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  },
};

type Round = { readonly linkMs: number; readonly pageMs: number };

async function once(state: string): Promise<Round> {
  const began = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, XDG_STATE_HOME: state, KUBECONFIG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    const link = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        const found = /^(http:\S+)#key=\S+$/m.exec(out)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
    });
    const linkMs = performance.now() - began;
    const { host, port, pathname } = new URL(link);
    const page = await ask({ host, port: Number(port) }, pathname);
    if (page.status !== 200) throw new Error(`GET ${link}: ${page.status}`);
    return { linkMs, pageMs: performance.now() - began };
  } finally {
    // npm, its shell, the script and the console are one group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await Promise.race([ended, sleep(10_000)]);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
