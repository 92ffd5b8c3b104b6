import { stateFolder } from '#lib/folders/index.ts';
import type { Flags } from '../flags.ts';
import type { SandboxUse } from '../open-cluster.ts';

/** The kept copy of a sandbox if there is one; otherwise a fresh one in memory, so that reading creates no files. */
export async function sandboxAsItIs(flags: Flags, env: NodeJS.ProcessEnv): Promise<SandboxUse> {
  const name = flags.text('sandbox');
  if (name === undefined) return 'kept';
  const { listSandboxes } = await import('#lib/sandbox/index.ts');
  const list = await listSandboxes(await stateFolder(env));
  return list.some((one) => one.name === name && one.kept) ? 'kept' : 'fresh';
}
