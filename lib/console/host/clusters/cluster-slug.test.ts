import { expect, test } from 'vitest';
import { clusterSlug } from './cluster-slug.ts';

test.each([
  ['kind-dev', 'kind-dev'],
  ['arn:aws:eks:eu-central-1:123:cluster/prod', 'arn-aws-eks-eu-central-1-123-cluster-pro'],
  ['../../etc/passwd', 'etc-passwd'],
  ['Ünïcode · 世界', 'n-code'],
  ['世界', 'cluster'],
  ['', 'cluster'],
  ['a'.repeat(300), 'a'.repeat(40)],
])('%j is readable in a URL, and safe', (name, readable) => {
  const slug = clusterSlug('kubeconfig', name);
  expect(slug).toMatch(/^[a-z0-9-]+-[0-9a-f]{8}$/);
  expect(slug.slice(0, -9)).toBe(readable);
});

test('the same name of another kind, and names that read the same, differ', () => {
  const slugs = [
    clusterSlug('kubeconfig', 'standard'),
    clusterSlug('sandbox', 'standard'),
    clusterSlug('kubeconfig', 'Standard'),
    clusterSlug('kubeconfig', 'a/b'),
    clusterSlug('kubeconfig', 'a:b'),
  ];
  expect(new Set(slugs).size).toBe(5);
  expect(clusterSlug('sandbox', 'standard')).toBe(slugs[1]);
});
