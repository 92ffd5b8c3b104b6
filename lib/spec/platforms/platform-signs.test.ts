import { expect, test } from 'vitest';
import { platformSigns } from './platform-signs.ts';

const texts = platformSigns.flatMap(({ sign }) => (sign.see === 'config-map-text' ? [sign] : []));

test.each(texts.map((sign) => [sign.name, sign.pattern] as const))(
  'a %s of blank lines alone is looked through once',
  (_name, pattern) => {
    const began = process.cpuUsage();
    expect(pattern.test('\n'.repeat(100_000))).toBe(false);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2_000);
  },
);
