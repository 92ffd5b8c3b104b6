import { messageOf } from '#lib/base/message-of.ts';
import { provideDebianKernel } from './testing/debian-kernel.ts';
import { provideOtherKernels } from './testing/other-kernels.ts';

const missing = provideOtherKernels();
try {
  provideDebianKernel();
} catch (error) {
  missing.push(`Debian's kernel could not be had: ${messageOf(error)}`);
}
if (missing.length > 0) {
  // The caller shows only the last line, so everything goes into one.
  console.error(missing.map((sentence) => sentence.replaceAll('\n', ' ')).join(' '));
  process.exitCode = 1;
}
