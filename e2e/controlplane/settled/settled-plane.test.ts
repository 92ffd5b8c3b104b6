import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Binaries, ensureBinaries } from '../binaries.ts';
import { standardNodes } from '../objects/nodes.ts';
import { type SettledCluster, settledKey, sourcesOf } from './settled-key.ts';
import { giveName, settledData, startSettledPlane } from './settled-plane.ts';

const cluster: SettledCluster = { like: 'v3.31.4', nodes: standardNodes(1) };

test('a plane that begins with data of another has an authority of its own, which its cluster names, and leaves the data as they are', async () => {
  const data = await settledData(cluster);
  const before = filesIn(data);
  const plane = await startSettledPlane({ nodes: 1 });
  try {
    const config = parse(readFileSync(plane.kubeconfig, 'utf8'));
    const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
    const named = await plane.api.list('/api/v1/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt');
    expect(named.length).toBeGreaterThan(5);
    for (const { data } of named) expect(Object(data)['ca.crt'].trim()).toBe(ca.trim());
    const info = await plane.api.text('/api/v1/namespaces/kube-public/configmaps/cluster-info');
    expect(info).toContain(Buffer.from(ca).toString('base64'));
    await plane.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'written-by-a-test' } });
  } finally {
    await plane.stop();
  }
  expect(filesIn(data)).toEqual(before);
});

test('of two that made the same the first counts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-name-'));
  try {
    for (const draft of ['first', 'second']) {
      mkdirSync(join(folder, draft));
      writeFileSync(join(folder, draft, 'by'), draft);
      giveName(join(folder, draft), join(folder, 'name'));
    }
    expect(readFileSync(join(folder, 'name', 'by'), 'utf8')).toBe('first');
    expect(() => giveName(join(folder, 'none'), join(folder, 'name'))).toThrow('ENOENT');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('data are asked for by all that they were made of', async () => {
  const binaries = await ensureBinaries();
  const day = new Date('2026-11-23T10:00:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-key-'));
  try {
    writeFileSync(join(folder, 'etcd'), 'another');
    const key = await settledKey(cluster, binaries, day);
    expect(await settledKey({ ...cluster, nodes: standardNodes(1) }, binaries, new Date('2026-11-23T23:00:00Z'))).toBe(
      key,
    );
    const others: [SettledCluster, Binaries, Date][] = [
      [{ ...cluster, nodes: standardNodes(2) }, binaries, day],
      [{ ...cluster, like: 'v3.30.7' }, binaries, day],
      [cluster, { ...binaries, etcd: join(folder, 'etcd') }, day],
      [cluster, binaries, new Date('2026-11-24T00:00:00Z')],
    ];
    const keys = await Promise.all(others.map((other) => settledKey(...other)));
    expect(new Set([key, ...keys]).size).toBe(others.length + 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('our sources count with all that they load, and not with what a type is taken from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-sources-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    write('a.ts', "import { b } from './b.ts';\nimport type { D } from './d.ts';\nimport 'yaml';\n");
    write('b.ts', "export { a } from './a.ts';\nconst c = await import('./c.ts');\n");
    for (const name of ['c.ts', 'd.ts', 'e.ts']) write(name, '');
    expect(sourcesOf(folder, ['a.ts'])).toEqual(['a.ts', 'b.ts', 'c.ts']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .sort();
}
