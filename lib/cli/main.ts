import { enableCompileCache } from 'node:module';

// Before anything else is loaded: the second start of the command line reads compiled code (architecture.md › Toolchain).
enableCompileCache();
const { runCli } = await import('./run-cli.ts');
process.exitCode = await runCli(process.argv.slice(2));
