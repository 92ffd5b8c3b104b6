import { spawn } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** A Go command that can build our modules, and its environment. */
export type Go = { readonly command: string; readonly env: Environment };

/** Since 1.21, Go itself fetches the release that a go.mod asks for. */
const fetchesItsOwnRelease = { major: 1, minor: 21 };
/** The release that an older Go fetches: Go's releases are published as versions of an ordinary module, with checksums. */
const release = '1.26.8';

/**
 * Finds Go. Debian 12 has 1.19, which does not fetch newer releases by itself but can download one as a module (4 s);
 * the downloaded programs then only lack the permission to be run. `missing` says why there is no usable Go.
 */
export async function findGo(env: Environment): Promise<Go | { readonly missing: string }> {
  const answer = await run('go', ['version'], { cwd: tmpdir(), env });
  if (answer.code !== 0) return { missing: answer.output.trim().split('\n').at(-1) || 'go version fails' };
  const [, major = '0', minor = '0'] = /go(\d+)\.(\d+)/.exec(answer.output) ?? [];
  if (Number(major) > fetchesItsOwnRelease.major || Number(minor) >= fetchesItsOwnRelease.minor) {
    return { command: 'go', env };
  }
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const module = `golang.org/toolchain@v0.0.1-go${release}.${platform}`;
  const fetched = await run('go', ['mod', 'download', '-json', module], { cwd: tmpdir(), env });
  const folder = /"Dir": "(.+)"/.exec(fetched.output)?.[1];
  if (fetched.code !== 0 || !folder) {
    return {
      missing: `Go ${major}.${minor} is too old and could not fetch Go ${release}: ${fetched.output.trim().slice(-300)}`,
    };
  }
  for (const programs of [join(folder, 'bin'), join(folder, 'pkg', 'tool', platform.replace('-', '_'))]) {
    for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755);
  }
  return { command: join(folder, 'bin', 'go'), env: { ...env, GOROOT: folder, GOTOOLCHAIN: 'local' } };
}

export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Environment },
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    child.on('error', (error) => done({ code: 127, output: error.message }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}
