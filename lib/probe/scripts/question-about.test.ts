import { expect, test } from 'vitest';
import { questionAbout } from './question-about.ts';

test.each([
  ['10.96.0.1', '1.0.96.10.in-addr.arpa 12'],
  ['fd00:10:96::1', `1.${'0.'.repeat(19)}6.9.0.0.0.1.0.0.0.0.d.f.ip6.arpa 12`],
  ['fd00:10:96::10.96.0.10', `a.0.0.0.0.6.a.0.${'0.'.repeat(12)}6.9.0.0.0.1.0.0.0.0.d.f.ip6.arpa 12`],
])('the name of %s is asked for', (address, question) => {
  expect(questionAbout(address)).toBe(question);
});

test.each(['10.96.0.1', '255.255.255.255', 'fd00:10:96::1', '2001:db8:aaaa:aaaa:aaaa:aaaa:aaaa:aaaa'])(
  'the question about %s has no line break in its message, at which bash would cut it in two',
  (address) => {
    const [name = '', type] = questionAbout(address).split(' ');
    // Header, labels with the byte that ends them, type and class.
    const length = 12 + name.length + 2 + 4;
    const bytes = [length, Number(type), ...name.split('.').map((label) => label.length)];
    expect(bytes).not.toContain(0x0a);
  },
);

test('text that is no address is refused', () => {
  expect(() => questionAbout('api.example.test')).toThrow('is not an address');
});
