import { compareVersions, type NodeVersions, nodeFault } from '../setup/node-choice.mjs';
import { type LeastVersion, refusedNodePackages } from './least-versions.ts';

/** A version that a file pins. `where`: the path in package-lock.json, or the go.mod. */
export type Pin = {
  readonly of: 'npm' | 'go';
  readonly name: string;
  readonly version: string;
  readonly where: string;
};

/** @param lock package-lock.json's `packages`. */
export function npmPins(lock: Readonly<Record<string, { readonly version?: string }>>): readonly Pin[] {
  return Object.entries(lock).flatMap(([where, { version }]) =>
    where === '' || version === undefined
      ? []
      : [{ of: 'npm' as const, name: where.replace(/^(?:.*\/)?node_modules\//, ''), version, where }],
  );
}

/** One entry of package-lock.json's `packages`; its key is the path in node_modules. */
export type LockEntry = {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/**
 * A sentence for each dependency that a package names and the lock file lacks. `npm install` silently leaves out an
 * optional package that the registry does not have yet, such as a binary that is published after those of other platforms.
 * `npm ci` then refuses the whole lock file, so that nothing can be installed on a new machine.
 */
export function lockFaults(lock: Readonly<Record<string, LockEntry>>): readonly string[] {
  return Object.entries(lock).flatMap(([where, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !nodeModulesSeenFrom(where).some((folder) => `${folder}${name}` in lock))
      .map((name) => `${where || 'package.json'} needs ${name}, and package-lock.json does not hold it.`),
  );
}

/** The folders in which Node looks for a dependency of the package at `where`, innermost first. */
function nodeModulesSeenFrom(where: string): readonly string[] {
  const outer = where.lastIndexOf('node_modules/');
  const own = where === '' ? 'node_modules/' : `${where}/node_modules/`;
  return where === '' ? [own] : [own, ...nodeModulesSeenFrom(where.slice(0, Math.max(0, outer - 1)))];
}

/** The pins of a go.mod: its requirements, overridden by its replacements. */
export function goPins(where: string, text: string): readonly Pin[] {
  return text.split('\n').flatMap((line) => {
    const [, name, version] =
      /^\s*(?:require\s+|replace\s+\S+(?:\s+\S+)?\s+=>\s+)?(\S+\.\S+\/\S+)\s+v(\d\S*)/.exec(line) ?? [];
    return name === undefined || version === undefined ? [] : [{ of: 'go' as const, name, version, where }];
  });
}

/** A sentence for each pin below its least acceptable version, and for each row without a pin. */
export function pinFaults(pins: readonly Pin[], rows: readonly LeastVersion[]): readonly string[] {
  return rows.flatMap((row) => {
    const own = pins.filter(({ of, name }) => of === row.of && name === row.name);
    if (own.length === 0)
      return [`${row.name}: nothing pins it any more. Take its rows out of scripts/pins/least-versions.ts.`];
    return own
      .filter(({ version }) => compareVersions(releasePart(version), row.least) < 0)
      .map(({ version, where }) => `${row.name} ${version} in ${where}: ${row.least} closes ${row.id}. ${row.what}`);
  });
}

/**
 * A sentence for each pinned package of Node that the start would refuse by bin/node-versions.txt, except those of `refusedNodePackages`; and for each of
 * these that is accepted by now.
 */
export function nodePackageFaults(pins: readonly Pin[], versions: NodeVersions): readonly string[] {
  return Object.values(versions.packages).flatMap((name) => {
    const pin = pins.find((one) => one.of === 'npm' && one.name === name);
    if (pin === undefined) return [`${name}: bin/node-versions.txt names it, and package-lock.json does not.`];
    const fault = nodeFault(pin.version, versions);
    const isRefused = refusedNodePackages[name] === pin.version;
    if (fault === null)
      return isRefused ? [`${name} ${pin.version} is acceptable: it need not be listed as refused.`] : [];
    return isRefused ? [] : [`${name} ${pin.version} ${fault}.`];
  });
}

const releasePart = (version: string) => version.replace(/[-+].*$/, '');
