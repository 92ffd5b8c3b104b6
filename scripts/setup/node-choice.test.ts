import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { machine, tmpdir, type } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseNode, compareVersions, nodeFault, nodeVersions } from './node-choice.mjs';
import { root } from './root.mjs';

const versions = nodeVersions();
const [least = ''] = versions.least;
const [major, minor, patch] = least.split('.').map(Number);
const before = [major, minor, patch].some((part, index) => index > 0 && part !== 0)
  ? `${major}.${minor}.${(patch ?? 0) - 1}`
  : `${(major ?? 0) - 1}.0.0`;

/** A project whose Node says that it is of these versions; null: there is none. */
function aProject(host: string | null, packaged: string | null): { project: string; path: string } {
  const project = mkdtempSync(join(tmpdir(), 'signalbox-node-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  for (const name of ['signalbox', 'node-versions.txt']) cpSync(join(root, 'bin', name), join(project, 'bin', name));
  const put = (at: string, version: string) => {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(
      at,
      `#!/bin/sh\ncase $1 in --version) echo v${version} ;; *) echo "$0|$SIGNALBOX_NODE_CHOICE" ;; esac\n`,
    );
    chmodSync(at, 0o755);
  };
  const name = versions.packages[`${type()}-${machine()}`] ?? 'none';
  if (packaged !== null) put(join(project, 'node_modules', name, 'bin', 'node'), packaged);
  if (host !== null) put(join(project, 'host', 'node'), host);
  // The shell's own programs, and no Node of this machine.
  const tools = join(project, 'tools');
  mkdirSync(tools);
  for (const tool of ['sh', 'dirname', 'readlink', 'uname']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' });
    spawnSync('ln', ['-s', stdout.trim(), join(tools, tool)]);
  }
  return { project, path: [join(project, 'host'), tools].join(delimiter) };
}

function signalbox({ project, path }: { project: string; path: string }, more: { cwd?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(join(project, 'bin', 'signalbox'), [], {
    encoding: 'utf8',
    env: { PATH: path },
    ...more,
  });
  const [ran = '', choice = ''] = stdout.trim().split('|');
  const from = ran.includes('/host/') ? 'host' : ran.includes('/node_modules/') ? 'packaged' : null;
  return { status, from, choice, stderr };
}

const known = 'has known holes, which';

test.each<[host: string | null, packaged: string | null, from: 'host' | 'packaged' | null, says: string]>([
  [least, null, 'host', 'tested major'],
  [least, least, 'host', 'tested major'],
  [`${major}.999.0`, least, 'host', 'tested major'],
  [before, least, 'packaged', known],
  ['24.0.0', least, 'packaged', known],
  ['20.20.2', least, 'packaged', 'is not of a tested major (24)'],
  ['26.99.0', least, 'packaged', 'is not of a tested major (24)'],
  [`${major}.999.0-rc.1`, least, 'packaged', 'is no release'],
  ['', least, 'packaged', 'is no release'],
  [null, least, 'packaged', 'No Node is installed here'],
  ['20.20.2', '24.0.0', null, `Node 24.0.0 that this project brings ${known} ${least} closes`],
  ['20.20.2', null, null, "run 'npm ci --ignore-scripts' in"],
  [null, null, null, `Install Node ${versions.install}, or a later Node ${major}.`],
])('host %s, packaged %s: %s runs, because %s', (host, packaged, from, says) => {
  const project = aProject(host, packaged);
  const ran = signalbox(project);
  expect(ran).toMatchObject({ status: from === null ? 2 : 0, from });
  expect(`${ran.choice}${ran.stderr}`).toContain(says);
  // The scripts that Node itself runs decide the same, in the same words.
  const chosen = chooseNode(
    host === null ? null : { path: join(project.project, 'host', 'node'), version: host },
    packaged === null
      ? `The one that this project brings is not here: run 'npm ci --ignore-scripts' in ${project.project}`
      : { path: '/packaged', version: packaged },
  );
  expect(chosen.node === null ? null : chosen.from).toBe(from);
  if (chosen.node === null) expect(ran.stderr.toLowerCase()).toContain(chosen.because.toLowerCase());
  else expect(ran.choice).toBe(`${from} ${chosen.because}`);
});

test('a Node in the folder where somebody happens to be is not run, though PATH says so', () => {
  const project = aProject(least, least);
  const ran = signalbox(
    { ...project, path: `.${delimiter}${project.path.split(delimiter)[1]}` },
    { cwd: join(project.project, 'host') },
  );
  expect(ran).toMatchObject({ status: 0, from: 'packaged' });
});

test('versions are compared by their numbers', () => {
  expect(['24.9.0', '24.18.1', '24.18.0', '8.0.0'].toSorted(compareVersions)).toEqual([
    '8.0.0',
    '24.9.0',
    '24.18.0',
    '24.18.1',
  ]);
  expect(nodeFault(versions.install, versions)).toBeNull();
});
