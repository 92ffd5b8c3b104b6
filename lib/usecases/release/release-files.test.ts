import { expect, test } from 'vitest';
import { openSandbox } from '#lib/sandbox/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { assess } from '../assess.ts';
import { releaseWanted } from './release-files.ts';

test.each(['calico-3.30', 'calico-3.30.4-bpf', 'calico-helm-3.30', 'calico-helm-3.30.4-bpf', 'calico-manifest-3.30'])(
  'an upgrade of %s wants the files of its target, whoever put Calico there',
  async (name) => {
    const sandbox = await openSandbox(name, { speed: 'instant', operator: 'none' });
    const choices = choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', acceptProposals: true });
    const { signal } = new AbortController();
    const { facts } = await assess({
      answers: choices,
      choices: () => choices,
      use: (work) => work(sandbox),
      clock: sandbox.clock,
      signal,
    });
    await sandbox.close();
    expect(releaseWanted(facts, choices)).toMatchObject({ version: 'v3.31.4' });
  },
);
