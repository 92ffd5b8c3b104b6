import { expect, test } from 'vitest';
import { lines } from './lines.ts';

async function linesOf(text: string, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
  }
  return Array.fromAsync(lines(chunks()));
}

test.each([1, 2, 3, 5, 1000])(
  'whatever the chunks (%i bytes), the lines and their characters are whole',
  async (size) => {
    expect(await linesOf('{"a":"ü"}\n\n{"b":"日本 🚦"}\nhalf', size)).toEqual(['{"a":"ü"}', '{"b":"日本 🚦"}']);
  },
);

test('a line of 5 MB takes no longer than it must', async () => {
  const long = 'x'.repeat(5 * 1024 * 1024);
  const began = process.cpuUsage();
  const [first, second] = await linesOf(`${long}\nshort\n`, 1024);
  expect([first?.length, second]).toEqual([long.length, 'short']);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(5_000);
});

test('a line without an end is given up before it fills the memory', async () => {
  let sent = 0;
  async function* endless() {
    // Finite, so that the test fails instead of the machine.
    for (; sent < 100; sent++) yield Buffer.alloc(1000, 'x');
  }
  await expect(Array.fromAsync(lines(endless(), 10_000))).rejects.toMatchObject({ code: 'protocol' });
  expect(sent).toBe(10);
});
