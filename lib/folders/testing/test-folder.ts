import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * An empty folder, this user's alone, which is removed with all that is in it: after the test that asks for it and the hooks of that test, or, where a file
 * asks for it before its tests, after the last of them.
 */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `signalbox-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (TestRunner.getCurrentTest() === undefined) afterAll(remove);
  else onTestFinished(remove);
  return folder;
}
