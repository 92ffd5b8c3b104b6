import { provideDebianKernel } from './testing/debian-kernel.ts';

try {
  provideDebianKernel();
} catch (error) {
  console.error(`Debian's kernel could not be had: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
