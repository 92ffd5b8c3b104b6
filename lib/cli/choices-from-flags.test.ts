import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { choicesFromFlags } from './choices-from-flags.ts';
import { parseFlags } from './flags.ts';
import { choiceFlags } from './global-flags.ts';

const choices = (...argv: string[]) => choicesFromFlags(parseFlags(argv, choiceFlags).flags);

test('where a release comes from: a folder as a whole path, an address as it is', async () => {
  expect(await choices('--source', 'calico', '--air-gapped')).toMatchObject({
    source: resolve('calico'),
    airGapped: true,
  });
  expect(await choices('--source', '/srv/calico')).toMatchObject({ source: '/srv/calico' });
  expect(await choices('--source', 'https://mirror.example/calico')).toMatchObject({
    source: 'https://mirror.example/calico',
  });
  expect(await choices()).not.toHaveProperty('source');
  expect(await choices()).not.toHaveProperty('airGapped');
});

test('the same from a file, and the flag wins', async () => {
  const folder = testFolder('choices');
  const path = join(folder, 'answers.yaml');
  await writeFile(path, 'source: calico\nairGapped: true\nendpoint: { host: a.example, port: 6443 }\n');
  expect(await choices('--choices', path)).toMatchObject({
    source: resolve('calico'),
    airGapped: true,
    endpoint: { port: '6443' },
  });
  expect(await choices('--choices', path, '--source', '/srv')).toMatchObject({ source: '/srv' });
});

test('services are watched, not watched, or as it is proposed', async () => {
  expect(await choices('--watch-services')).toMatchObject({ watchServices: true });
  expect(await choices('--no-watch-services')).toMatchObject({ watchServices: false });
  expect(await choices()).not.toHaveProperty('watchServices');
  await expect(choices('--watch-services', '--no-watch-services')).rejects.toThrow('contradict each other');
});
