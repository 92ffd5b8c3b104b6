import type { Running } from './signalbox-process.ts';

/** The release that each node was seen on last. */
export function nodeVersions(run: Running): (string | undefined)[] {
  const last = new Map(run.events().flatMap((each) => (each.event === 'node' ? [[each.data.name, each.data]] : [])));
  return [...last.values()].map(({ version }) => version);
}
