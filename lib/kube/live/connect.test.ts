import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('lib/kube loads nothing of the live client until a cluster is asked for', () => {
  const index = join(import.meta.dirname, '..', 'index.ts');
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
    await import(${JSON.stringify(index)});`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).split(
    '\n',
  );
  expect(loaded.filter((url) => /undici|client-node|\/live\/(?!connect\.ts)/.test(url))).toEqual([]);
  expect(loaded.some((url) => url.endsWith('/live/connect.ts'))).toBe(true);
});
