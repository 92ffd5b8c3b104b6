import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The Node that runs this process, and why. */
export type NodeRuntime = {
  path: string;
  version: string;
  /** `host`: the machine's own. `packaged`: the project's. `named`: chosen by the user, without bin/signalbox. */
  from: 'host' | 'packaged' | 'named';
  because: string;
  /** The oldest version that is used; `recommended`: the first without known vulnerabilities. */
  least: string;
  recommended: string;
  /** Known vulnerabilities of this version, each with the reason why Signalbox is not affected. */
  keptOut: { id: string; closedIn: string; because: string }[];
};

/** The variable by which bin/signalbox passes on its decision. It is only shown, so a wrong value does no harm. */
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
