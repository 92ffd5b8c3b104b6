import { readFileSync } from 'node:fs';

/** The version (`v0.1.0`), and the commit if this is a checkout. Reads two small files and starts no program, so that `version --client` is fast. */
export function clientVersion(): { version: string; commit: string; node: string } {
  const root = new URL('../../', import.meta.url);
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return { version: `v${version}`, commit: headCommit(root), node: process.version };
}

function headCommit(root: URL): string {
  try {
    const head = readFileSync(new URL('.git/HEAD', root), 'utf8').trim();
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    return (ref === undefined ? head : readFileSync(new URL(`.git/${ref}`, root), 'utf8').trim()).slice(0, 12);
  } catch {
    return 'unknown';
  }
}
