import { expect, test } from 'vitest';
import { felixAcceptsKernel } from './kernel-gate.ts';

test.each([
  ['6.8.0-45-generic', 'Ubuntu 24.04.1 LTS', true],
  ['4.15.0-213-generic', 'Ubuntu 18.04.6 LTS', false],
  ['5.3.0-76-generic', 'Ubuntu 18.04.6 LTS', true],
  ['4.18.0-193.el8_2.x86_64', 'Red Hat Enterprise Linux 8.2 (Ootpa)', true],
  ['4.18.0-147.el8.x86_64', 'Red Hat Enterprise Linux 8.1 (Ootpa)', false],
  ['4.18.0', 'Red Hat Enterprise Linux 8.2 (Ootpa)', false],
  ['5.2.21', 'Debian GNU/Linux 12 (bookworm)', false],
])('%s on %s: %s', (kernel, osImage, accepted) => {
  expect(felixAcceptsKernel(kernel, osImage)).toBe(accepted);
});
