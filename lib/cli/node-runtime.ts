import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Which Node runs this process, and why that one. */
export type NodeRuntime = {
  path: string;
  version: string;
  /** host: the machine's own. packaged: the one that the project brings. named: somebody started this with it, past bin/signalbox. */
  from: 'host' | 'packaged' | 'named';
  because: string;
  /** The least version that is used, and the first without any hole that is known. */
  least: string;
  recommended: string;
  /** Holes that are known in this version, each with how Signalbox keeps away from it. */
  keptOut: { id: string; closedIn: string; because: string }[];
};

/** bin/signalbox says what it decided. Whoever else sets it deceives himself alone. */
const choiceShape = z
  .string()
  .regex(/^(?:host|packaged) ./)
  .transform((text) => {
    const end = text.indexOf(' ');
    return {
      from: text.slice(0, end) === 'host' ? ('host' as const) : ('packaged' as const),
      because: text.slice(end + 1),
    };
  });

export function nodeRuntime(env: NodeJS.ProcessEnv): NodeRuntime {
  const rows = readFileSync(new URL('../../bin/node-versions.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim().split(' '));
  const version = process.versions.node;
  const chosen = choiceShape.safeParse(env.SIGNALBOX_NODE_CHOICE);
  return {
    path: process.execPath,
    version: process.version,
    ...(chosen.success ? chosen.data : { from: 'named', because: 'It was started without bin/signalbox.' }),
    least: fieldOf(rows, 'least'),
    recommended: fieldOf(rows, 'install'),
    keptOut: rows.flatMap(([word, closedIn = '', , ...rest]) => {
      if (word !== 'hole' || !isBefore(version, closedIn)) return [];
      const [id = '', because = ''] = rest.join(' ').split(': ', 2);
      return [{ id, closedIn, because }];
    }),
  };
}

function fieldOf(rows: readonly string[][], word: string): string {
  return rows.find(([first]) => first === word)?.[1] ?? '';
}

function isBefore(version: string, closedIn: string): boolean {
  const [ours, theirs] = [version, closedIn].map((text) => text.split('.').map(Number));
  for (const [index, part] of (theirs ?? []).entries()) {
    const difference = (ours?.[index] ?? 0) - part;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
