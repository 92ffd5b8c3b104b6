import { enableCompileCache } from 'node:module';
import { compiledFolder } from '#lib/folders/cache-folder.mjs';
import { FolderRefused } from '#lib/folders/private-folder.mjs';
import { freshBundle } from './bundle.mjs';

// Before anything else is loaded: the second start of the command line reads compiled code (architecture.md › Toolchain). What is loaded until then is
// JavaScript, as to take types out of TypeScript is what each start would wait for. Never from the folder for
// temporary files, which Node takes when none is named: everybody may put code there.
try {
  enableCompileCache(compiledFolder(process.env));
} catch (error) {
  // What needs the cache says why it cannot be used; without compiled code the start takes a little longer.
  if (!(error instanceof FolderRefused)) throw error;
}
// SIGNALBOX_SOURCES=1: as where nothing was bundled.
const bundle = process.env.SIGNALBOX_SOURCES === '1' ? null : freshBundle();
const { runCli } = bundle === null ? await import('./run-cli.ts') : await import(bundle);
process.exitCode = await runCli(process.argv.slice(2));
