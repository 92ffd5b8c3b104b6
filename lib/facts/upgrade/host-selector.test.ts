import { expect, test } from 'vitest';
import { hostSelector } from './host-selector.ts';

const labels = { role: 'db' };
const namespaced = "projectcalico.org/name not in {'kube-system', 'calico-system'}";

test.each<[string, { selector?: string; ofNamespace?: string; ofAccount?: string }, boolean | null]>([
  ['nothing at all selects everything', {}, true],
  ['all() selects hosts', { selector: 'all()' }, true],
  ['namespaces but some', { ofNamespace: namespaced }, true],
  ['the same with a label that the host has', { selector: "role == 'db'", ofNamespace: namespaced }, true],
  ['the same with another', { selector: "role == 'web'", ofNamespace: namespaced }, false],
  ['what is in no namespace', { ofNamespace: 'global()' }, true],
  ['every namespace', { ofNamespace: 'all()' }, false],
  ['all() beside a namespace is what is in one', { selector: 'all()', ofNamespace: namespaced }, false],
  ['a namespace with a label', { ofNamespace: 'has(team)' }, false],
  ['a namespace without it', { ofNamespace: '!has(team)' }, true],
  ['an account of another name', { ofAccount: "projectcalico.org/name != 'robot'" }, true],
  ['every account', { ofAccount: 'all()' }, false],
  ['one of them pods alone, the other unreadable', { ofNamespace: 'all()', ofAccount: 'x =' }, false],
  ['unreadable', { ofNamespace: 'x =' }, null],
])('%s', (_name, { selector = null, ofNamespace = null, ofAccount = null }, expected) => {
  const matches = hostSelector({ selector, namespaceSelector: ofNamespace, serviceAccountSelector: ofAccount });
  expect(matches?.(labels) ?? null).toBe(expected);
});
