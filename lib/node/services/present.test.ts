import { expect, test } from 'vitest';
import type { Backend } from './entries.ts';
import { Present } from './present.ts';

const aBackend = (index: number, node = '10.0.0.2'): Backend => ({
  address: `10.1.${index >> 8}.${index & 255}`,
  port: 8080,
  node,
  isLocal: false,
  isHost: false,
});

test('a backend that came, moved to another node or went is answered as it is now', () => {
  const present = new Present();
  const set = (slot: number, value: Backend | null) =>
    present.apply({ map: 'backends', id: 7, list: 'cluster', slot, value });
  const at = (node: string) => ({ address: '10.1.0.1', port: 8080, node });
  const seen = () => [at('10.0.0.2'), at('10.0.0.3')].map((backend) => present.hasBackend(7, backend));
  expect(seen()).toEqual([false, false]);
  set(0, aBackend(0));
  set(1, aBackend(1));
  expect(seen()).toEqual([true, false]);
  set(1, aBackend(1, '10.0.0.3'));
  expect(seen()).toEqual([false, true]);
  set(0, aBackend(1));
  expect(seen()).toEqual([true, true]);
  set(1, null);
  set(0, null);
  expect(seen()).toEqual([false, false]);
});

test('to ask for each of many flows looks at each of many backends a few times in all', () => {
  const backends = 1_000;
  let looks = 0;
  const present = new Present();
  for (let slot = 0; slot < backends; slot++) {
    const { address, ...rest } = aBackend(slot);
    const value = {
      ...rest,
      get address() {
        looks++;
        return address;
      },
    };
    present.apply({ map: 'backends', id: 7, list: 'cluster', slot, value });
  }
  const flows = Array.from({ length: 10_000 }, (_, index) => aBackend(index % backends));
  expect(flows.every(({ address, port }) => present.hasBackend(7, { address, port }))).toBe(true);
  expect(looks).toBeLessThanOrEqual(2 * backends);
});
