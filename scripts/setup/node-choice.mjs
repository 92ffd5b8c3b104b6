import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * Chooses the Node that runs Signalbox by bin/node-versions.txt, as bin/signalbox does. Plain JavaScript on built-ins of Node 20, because it runs before
 * anything is installed.
 *
 * @typedef {{ least: readonly string[], install: string, packages: Readonly<Record<string, string>> }} NodeVersions
 * @typedef {{ path: string, version: string }} Found
 * @typedef {{ node: Found, from: 'host' | 'packaged', because: string } | { node: null, because: string }} NodeChoice
 */

/** @returns {NodeVersions} */
export function nodeVersions(text = readFileSync(join(root, 'bin', 'node-versions.txt'), 'utf8')) {
  const rows = text.split('\n').flatMap((line) => (/^(?:#|\s*$)/.test(line) ? [] : [line.split(' ')]));
  const of = (/** @type {string} */ word) => rows.filter(([first]) => first === word);
  return {
    least: of('least').map(([, version = '']) => version),
    install: of('install')[0]?.[1] ?? '24',
    packages: Object.fromEntries(of('package').map(([, platform, name]) => [platform, name])),
  };
}

/**
 * @param {Found | null} host
 * @param {Found | string} packaged the packaged Node, or the reason why there is none, as a sentence without a full stop
 * @returns {NodeChoice}
 */
export function chooseNode(host, packaged, versions = nodeVersions()) {
  const whyNotHost =
    host === null
      ? 'No Node is installed here'
      : `Node ${host.version || 'of no version'} at ${host.path} ${nodeFault(host.version, versions) ?? ''}`;
  if (host !== null && nodeFault(host.version, versions) === null)
    return {
      node: host,
      from: 'host',
      because: 'The host’s own is of a tested major and not below the least acceptable version.',
    };
  const fault = typeof packaged === 'string' ? packaged : nodeFault(packaged.version, versions);
  if (typeof packaged !== 'string' && fault === null)
    return { node: packaged, from: 'packaged', because: `${whyNotHost}.` };
  const whyNotPackaged =
    typeof packaged === 'string'
      ? packaged
      : `Node ${packaged.version || 'of no version'} that this project brings ${fault}`;
  const [major] = versions.install.split('.');
  return {
    node: null,
    because: `No Node here can run it. ${whyNotHost}. ${whyNotPackaged}. Install Node ${versions.install}, or a later Node ${major}.`,
  };
}

/** Why a version is refused; null if it is accepted. @param {string} version @param {NodeVersions} versions @returns {string | null} */
export function nodeFault(version, { least }) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'is no release';
  const floor = least.find((one) => one.split('.')[0] === version.split('.')[0]);
  if (floor === undefined) return `is not of a tested major (${least.map((one) => one.split('.')[0]).join(', ')})`;
  return compareVersions(version, floor) < 0 ? `has known holes, which ${floor} closes` : null;
}

/** Compares two versions number by number, for `sort`. @param {string} left @param {string} right */
export function compareVersions(left, right) {
  const [mine, other] = [left, right].map((text) => text.split('.').map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (mine?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
