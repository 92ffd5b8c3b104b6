import { afterwards, type Choices, type Goal } from '#lib/spec/index.ts';

export type Answers = { readonly goals: readonly Goal[]; readonly choices: Omit<Choices, 'goal'> };

const none: Omit<Choices, 'goal'> = { acceptProposals: true, acknowledge: {}, fix: [], set: {} };

/** Answers for the assessed dumps, by the goals whose checks and plans they change. */
export const someAnswers: Readonly<Record<string, Answers>> = {
  'what is proposed': { goals: ['install', 'enable', 'upgrade', 'undo', 'restore'], choices: none },
  'nothing is accepted': { goals: ['install', 'enable'], choices: { ...none, acceptProposals: false } },
  'an address and a release': {
    goals: ['enable', 'upgrade'],
    choices: { ...none, endpoint: { host: 'api.example.test', port: '6443' }, release: 'v3.31.4' },
  },
  'an upgrade with all that may follow it': {
    goals: ['upgrade'],
    choices: { ...none, release: 'v3.31.7', afterwards: [...afterwards], changes: { all: 'keep' }, pauseBetween: true },
  },
  automatic: { goals: ['install', 'enable'], choices: { ...none, automatic: true } },
  'the proxy stays, with DSR': { goals: ['install', 'enable'], choices: { ...none, keepProxy: true, dsr: true } },
  'the standard data plane': { goals: ['install'], choices: { ...none, dataplane: 'Iptables', release: 'v3.30.7' } },
};
