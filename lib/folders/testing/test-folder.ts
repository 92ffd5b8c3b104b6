import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/** Folders of the file whose tests run in this worker. */
const ofFile = new Set<string>();

/**
 * An empty folder, this user's alone, which is removed with all that is in it: after the test that asks for it and the hooks of that test, or, if no test
 * asks (a file or its `beforeAll`), after the file and its hooks.
 */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `signalbox-${name}-`));
  if (TestRunner.getCurrentTest() === undefined) ofFile.add(folder);
  else onTestFinished(() => remove(folder));
  return folder;
}

/**
 * `scripts/test/folders-of-file.mjs` calls this after each file. An `afterAll` of `testFolder` itself would not do: vitest ignores one that is registered
 * while a `beforeAll` runs.
 */
export function removeFoldersOfFile(): void {
  for (const folder of ofFile) remove(folder);
  ofFile.clear();
}

/** Tries again for half a second: a process that was killed, or a write that nobody awaits, may still add a file. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
