import { enableCompileCache } from 'node:module';
import { compiledFolder, FolderRefused } from '#lib/folders/index.ts';

// Before anything else is loaded: the second start of the command line reads compiled code (architecture.md › Toolchain). Never from the folder for
// temporary files, which Node takes when none is named: everybody may put code there.
try {
  enableCompileCache(compiledFolder(process.env));
} catch (error) {
  // What needs the cache says why it cannot be used; without compiled code the start takes a little longer.
  if (!(error instanceof FolderRefused)) throw error;
}
const { runCli } = await import('./run-cli.ts');
process.exitCode = await runCli(process.argv.slice(2));
