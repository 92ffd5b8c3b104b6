import { expect, test } from 'vitest';
import { kernelAtLeast, kernelRuleFor, kernelRules, parseKernel } from './kernels.ts';

test.each([
  ['4.18.0-193.el8.x86_64', [4, 18, 0], [193]],
  ['4.18.0-193.1.2.el8_2.x86_64', [4, 18, 0], [193, 1, 2]],
  ['5.4.0-1103-aws', [5, 4, 0], [1103]],
  ['6.1.0-rc3', [6, 1, 0], []],
  ['5.10.102.1-microsoft-standard-WSL2', [5, 10, 102, 1], []],
  ['5.3', [5, 3, 0], []],
  ['6.12.0-55.9.1.el10_0.x86_64', [6, 12, 0], [55, 9, 1]],
  ['5.15.0-206.153.7.1.el8uek.x86_64', [5, 15, 0], [206, 153, 7, 1]],
  ['6.1.109-118.189.amzn2023.x86_64', [6, 1, 109], [118, 189]],
  ['6.6.12-linuxkit', [6, 6, 12], []],
  ['5.15.0+', [5, 15, 0], []],
])('%s is read as %j and %j', (text, upstream, release) => {
  expect(parseKernel(text)).toEqual({ upstream, release });
});

test.each(['', 'unknown', '5', 'v5', '5.x', 'Linux 5.4', '5.4abc', '5.4.x', '..', '-193', '١.٢', '1e3.4'])(
  '"%s" is no kernel version',
  (text) => {
    expect(parseKernel(text)).toBeNull();
    expect(kernelAtLeast(text, '5.3')).toBe('undecided');
  },
);

test.each([
  ['4.18.0-193', '4.18.0-193', 'yes'],
  ['4.18.0-193.el8.x86_64', '4.18.0-193', 'yes'],
  ['4.18.0-193.1.2.el8_2.x86_64', '4.18.0-193', 'yes'],
  ['4.18.0-1000.el8.x86_64', '4.18.0-193', 'yes'],
  ['4.18.0-80.el8.x86_64', '4.18.0-193', 'no'],
  ['4.18.0', '4.18.0-193', 'no'],
  ['5.14.0-70.el9.x86_64', '4.18.0-193', 'yes'],
  ['3.10.0-1160.el7.x86_64', '4.18.0-193', 'no'],
  ['5.3', '5.3', 'yes'],
  ['5.3.0-rc1', '5.3', 'yes'],
  ['5.2.21', '5.3', 'no'],
  ['5.10.0', '5.3', 'yes'],
  ['4.19.0-27-amd64', '5.3', 'no'],
])('%s is at least %s: %s', (kernel, floor, expected) => {
  expect(kernelAtLeast(kernel, floor)).toBe(expected);
});

test.each([
  ['rhel', '4.18.0-193.el8.x86_64', 'rhel'],
  ['rhcos', '4.18.0-305.el8.x86_64', 'rhel'],
  ['appliance', '4.18.0-348.7.1.el8_5.x86_64', 'rhel'],
  ['ol', '5.4.17-2136.307.3.1.el8uek.x86_64', 'rhel'],
  ['ubuntu', '5.4.0-42-generic', 'any'],
  ['fedora', '6.5.6-300.fc39.x86_64', 'any'],
  ['amzn', '4.14.355-275.572.amzn2.x86_64', 'any'],
])('%s with %s follows the rule of family %s', (id, kernel, family) => {
  expect(kernelRuleFor({ id }, kernel).family).toBe(family);
});

test('every rule says where it is from and when that was read', () => {
  for (const rule of kernelRules) {
    expect(rule.source).toMatch(/\S/);
    expect(rule.read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(parseKernel(rule.floor)).not.toBeNull();
  }
});
