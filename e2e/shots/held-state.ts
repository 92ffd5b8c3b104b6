import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdAnnotation, openSandbox } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';

/** A state folder whose sandbox has a node that starts no pods: a run stands still there for as long as somebody wants to look at it. It goes with this process. */
export async function heldState(sandbox: string, node: string): Promise<string> {
  const state = mkdtempSync(join(tmpdir(), 'signalbox-shots-'));
  process.once('exit', () => rmSync(state, { recursive: true, force: true }));
  const { kube, close } = await openSandbox(sandbox, { state: join(state, 'signalbox'), speed: 'normal' });
  const body = { metadata: { annotations: { [holdAnnotation]: 'true' } } };
  await kube.patch({ resource: resources.nodes, name: node }, { type: 'merge', body });
  await close();
  return state;
}
