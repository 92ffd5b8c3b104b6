import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { machine, type } from 'node:os';
import { join } from 'node:path';
import { chooseNode, nodeVersions } from './setup/node-choice.mjs';
import { root } from './setup/root.mjs';

/** Path of the Node that runs our TypeScript: the running one if its version is accepted, else the packaged one. Throws a sentence if neither is usable. */
export function node24() {
  const versions = nodeVersions();
  const { node, because } = chooseNode(
    { path: process.execPath, version: process.versions.node },
    packagedNode(versions),
    versions,
  );
  if (node === null) throw new Error(because);
  return node.path;
}

/** @param {import('./setup/node-choice.mjs').NodeVersions} versions @returns {import('./setup/node-choice.mjs').Found | string} */
function packagedNode({ packages }) {
  const name = packages[`${type()}-${machine()}`];
  if (name === undefined) return `No package carries Node for ${type()} on ${machine()}`;
  const path = join(root, 'node_modules', name, 'bin', 'node');
  if (!existsSync(path))
    return `The one that this project brings is not here: run 'npm ci --ignore-scripts' in ${root}`;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return { path, version: (stdout ?? '').trim().replace(/^v/, '') };
}
