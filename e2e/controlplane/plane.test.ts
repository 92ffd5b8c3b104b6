import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureBinaries } from './binaries.ts';
import { startControlPlane } from './plane.ts';

let folder: string;
let etcd: string;

beforeEach(async () => {
  ({ etcd } = await ensureBinaries());
  folder = mkdtempSync(join(tmpdir(), 'signalbox-assets-'));
  vi.stubEnv('KUBEBUILDER_ASSETS', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Replaces etcd: exits at once the first time or every time, as when its port is taken. */
function etcdThatEnds(times: 'once' | 'always'): void {
  const mark = join(folder, 'began');
  const ends = times === 'once' ? `[ -e '${mark}' ] || { : >'${mark}'; ${lastWords}; }` : lastWords;
  writeFileSync(join(folder, 'etcd'), `#!/bin/sh\n${ends}\nexec '${etcd}' "$@"\n`, { mode: 0o755 });
}
const lastWords = 'echo "address already in use"; exit 1';

const small = { kind: 'bare', components: 'api-only', nodes: 0 } as const;

test('a plane whose etcd ends before the API server was ready is begun once more', async () => {
  etcdThatEnds('once');
  const reported: string[] = [];
  const plane = await startControlPlane({ ...small, report: (line) => reported.push(line) });
  try {
    expect(reported).toContainEqual(expect.stringMatching(/^etcd ended \(exit 1\) .*; beginning once more$/s));
    expect(await plane.api.isReady()).toBe(true);
  } finally {
    await plane.stop();
  }
});

test('one whose etcd always ends is given up, with what it said last', async () => {
  etcdThatEnds('always');
  const dir = join(folder, 'plane');
  await expect(startControlPlane({ ...small, dir, report: () => undefined })).rejects.toThrow(
    /^The control plane did not start: etcd ended \(exit 1\) before etcd is healthy; its last words: .*address already in use/s,
  );
});
