import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChangedValue } from './changed-value.tsx';

test('a line of JSON breaks between its parts, and says what it said', () => {
  const markup = renderToStaticMarkup(<ChangedValue value={{ level: 'Warning', file: '/var/log/calico' }} of="logs" />);
  expect(markup).toContain('"level":<wbr/>"Warning",<wbr/>'.replaceAll('"', '&quot;'));
  expect(markup.replace(/<[^>]*>/g, '')).toBe('{"level":"Warning","file":"/var/log/calico"}'.replaceAll('"', '&quot;'));
});

test('the version of an image stays in one line', () => {
  const markup = renderToStaticMarkup(
    <ChangedValue value="mirror.example/calico/kube-controllers:v3.31.7" of="image" />,
  );
  expect(markup).toContain(':<wbr/>v3.31.7');
});
